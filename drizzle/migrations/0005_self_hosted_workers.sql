CREATE TABLE "self_hosted_workers" (
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "self_hosted_workers_account_id_name_pk" PRIMARY KEY("account_id","name")
);
