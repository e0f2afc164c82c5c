ALTER TABLE "files" ADD COLUMN "file_name" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "facts" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "result_ttl_hours" real;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "deleted_at" timestamp (3) with time zone;