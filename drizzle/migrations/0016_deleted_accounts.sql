ALTER TABLE "accounts" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "accounts" SET "deleted_at" = now() WHERE "email" = 'deleted-' || "id";
