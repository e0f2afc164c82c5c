ALTER TABLE "jobs" ADD COLUMN "run_on" text DEFAULT 'service' NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "worker" text;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD COLUMN "leased_until" timestamp with time zone;