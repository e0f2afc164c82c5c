ALTER TABLE "jobs" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_reference" ON "jobs" USING btree ("account_id","reference","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "jobs"."reference" is not null;--> statement-breakpoint
CREATE INDEX "jobs_metadata" ON "jobs" USING gin ("metadata" jsonb_path_ops) WHERE "jobs"."metadata" <> '{}'::jsonb;