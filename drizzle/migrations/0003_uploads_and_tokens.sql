ALTER TABLE "uploads" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "media_type" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "content_fingerprint" "bytea";--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_parent" ON "api_keys" USING btree ("parent_id") WHERE "api_keys"."parent_id" is not null;