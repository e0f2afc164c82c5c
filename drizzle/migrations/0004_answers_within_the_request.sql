ALTER TYPE "public"."file_role" ADD VALUE 'attachment';--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "job_id" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "details" jsonb;