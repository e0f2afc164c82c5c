ALTER TABLE "uploads" ALTER COLUMN "sha256" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received_bytes" bigint;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "parts" text[] DEFAULT '{}' NOT NULL;