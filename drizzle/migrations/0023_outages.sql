ALTER TABLE "idempotency_keys" ADD COLUMN "holder" uuid;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "excused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_tasks" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;