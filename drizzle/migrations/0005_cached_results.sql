ALTER TABLE "jobs" ADD COLUMN "cache_key" "bytea";--> statement-breakpoint
CREATE INDEX "jobs_cached" ON "jobs" USING btree ("account_id","cache_key") WHERE "jobs"."cache_key" is not null;