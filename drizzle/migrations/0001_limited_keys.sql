ALTER TABLE "api_keys" ADD COLUMN "permissions" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotated_from" uuid;