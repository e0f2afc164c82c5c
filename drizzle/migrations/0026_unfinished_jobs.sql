DROP INDEX "jobs_unfinished";--> statement-breakpoint
CREATE INDEX "jobs_deadline" ON "jobs" USING btree ("deadline_at") WHERE "jobs"."deadline_at" is not null and "jobs"."status" in ('QUEUED', 'PROCESSING');--> statement-breakpoint
CREATE INDEX "jobs_unfinished" ON "jobs" USING btree ("status","created_at") WHERE "jobs"."status" in ('QUEUED', 'PROCESSING');