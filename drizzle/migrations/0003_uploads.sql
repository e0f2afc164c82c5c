CREATE TABLE "uploads" (
	"token" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_account" ON "uploads" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "uploads_expiring" ON "uploads" USING btree ("expires_at");