ALTER TABLE "accounts" ADD COLUMN "sandbox_of" uuid;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_sandbox_of_accounts_id_fk" FOREIGN KEY ("sandbox_of") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_sandbox" ON "accounts" USING btree ("sandbox_of");