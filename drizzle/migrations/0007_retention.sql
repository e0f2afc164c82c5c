CREATE INDEX "batch_items_file" ON "batch_items" USING btree ("file_key") WHERE "batch_items"."file_key" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_created" ON "jobs" USING btree ("created_at");