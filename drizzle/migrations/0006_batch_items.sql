CREATE TABLE "batch_items" (
	"job_id" text NOT NULL,
	"position" integer NOT NULL,
	"outcome" jsonb NOT NULL,
	"file_key" text,
	"cache_key" "bytea",
	CONSTRAINT "batch_items_job_id_position_pk" PRIMARY KEY("job_id","position")
);
--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_file_key_files_key_fk" FOREIGN KEY ("file_key") REFERENCES "public"."files"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_items_cached" ON "batch_items" USING btree ("cache_key") WHERE "batch_items"."cache_key" is not null;