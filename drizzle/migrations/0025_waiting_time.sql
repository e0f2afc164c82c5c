ALTER TABLE "queue_entries" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD COLUMN "worked_seconds" real DEFAULT 0 NOT NULL;