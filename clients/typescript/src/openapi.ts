// Written by `npm run generate` from the OpenAPI document. Do not edit.
export interface paths {
    "/media-tools/v1/image-convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert images
         * @description Converts an image to another format.
         */
        post: operations["media-convert-image"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media-tools/v1/image-convert/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert images, in batches
         * @description Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.
         */
        post: operations["media-convert-image-batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remove-bg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove background
         * @description Removes the background of an image or a video, or replaces it.
         */
        post: operations["remove-bg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remove-bg/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove background, in batches
         * @description Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.
         */
        post: operations["remove-bg-batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content-safety/v1/image-moderation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check images
         * @description Scores an image on four categories of harm, and says whether one reaches a threshold.
         */
        post: operations["image-moderation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content-safety/v1/image-moderation/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check images, in batches
         * @description Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.
         */
        post: operations["image-moderation-batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/image-outpaint/v1/image-outpaint-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend images
         * @description Extends an image past its borders, and fills the added area to match.
         */
        post: operations["image-outpaint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/image-outpaint/v1/image-outpaint-request/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend images, in batches
         * @description Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.
         */
        post: operations["image-outpaint-batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/upscale": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upscale
         * @description Enlarges an image or a video two, four or eight times, with sharp edges.
         */
        post: operations["upscale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/upscale/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upscale, in batches
         * @description Each item is a request of its own: output.items of the job holds the results or errors in order. Only successes are charged, and cached results are free.
         */
        post: operations["upscale-batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audio-tools/v1/diarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Who spoke
         * @description Tells who speaks when in a recording, as a JSON timeline.
         */
        post: operations["audio-diarize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audio-tools/v1/separate-stems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Split stems
         * @description Splits music into vocals and the rest, or into vocals, drums, bass and the rest.
         */
        post: operations["audio-separate-stems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests/status/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of a job
         * @description Poll it every 5 to 10 seconds until the job has ended. `Prefer: wait=10` holds the response until then, for at most so many seconds and at most 30. Whoever waits in more requests than the account may have gets the state at once.
         */
        get: operations["getRequestStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * File for a later input
         * @description Accepts a file of at most 500 MB, as the body itself: not as a form. Its URL works in one request of the same account within 1 hour; a rejected request does not consume it.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/engines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Engines and categories of this installation
         * @description Each engine that a request may name, and each category of moderation, with whether this installation has it.
         */
        get: operations["listEngines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balance of the wallet
         * @description Amounts of the key’s account, those held by its unfinished jobs included.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service accepts jobs
         * @description For load balancers: 200 once the database responds and the store accepts objects.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that sign receipts
         * @description A JSON Web Key Set, below the origin of the service as well: /.well-known/jwks.json. Keys that sign no more stay in it.
         */
        get: operations["listReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description OpenAPI 3.1 of all routes for programs.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests of the account
         * @description Newest first, in pages. Requests are listed while they are kept.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a request
         * @description Ends a queued or running request: FAILED with the error "canceled". Its hold is released, and its run stops within seconds. The time that the run took counts like that of a failed one.
         */
        delete: operations["cancelRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/requests/status/{request_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of a job, as it changes
         * @description Server-sent events named `job`, whose data is the job as JSON and whose id names its state: one at once, then one for each change of state or progress. Comments keep the connection open. The stream ends with the job, or after 15 minutes: then connect again with Last-Event-ID, as an EventSource does. Each event is the whole job, so the newest one holds all that was missed. A reconnect after the last event of an ended job gets 204.
         */
        get: operations["getRequestEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price of a request before it is sent
         * @description Fetches and checks the input as the request itself would, and charges nothing. An upload stays usable. The body has at most 1 MB: give a larger file by its URL. An account may ask for 12 quotes a minute.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Charges by day, operation and key
         * @description Covers at most 366 days, and requests while they are kept.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Room for a file that arrives in parts
         * @description For a file of at most 500 MB that a broken connection should not send again. Send its bytes to parts_url by PATCH, as the protocol tus 1.0.0 does; whoever has that URL needs no key.
         */
        post: operations["startUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/uploads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an unused upload
         * @description Frees its room in the account at once.
         */
        delete: operations["deleteUpload"];
        options?: never;
        /**
         * Bytes of a file that have arrived
         * @description As the protocol tus 1.0.0 asks for it, to continue after a lost connection.
         */
        head: operations["getUploadOffset"];
        /**
         * Next bytes of a file
         * @description Appends the body at Upload-Offset. When the connection breaks, what has arrived is kept: ask for the offset by HEAD, and continue from there. A part that is still arriving ends when the next request comes.
         */
        patch: operations["appendUploadPart"];
        trace?: never;
    };
    "/v2/worker/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a job for a machine of the account
         * @description Hands out the job with `run_on: "own"` that has waited the longest. Report its progress before lease_seconds have passed, again and again, or other workers may take it.
         */
        post: operations["claimJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/worker/claims/{claim_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give a job back
         * @description Other workers may take it at once. The attempt does not count.
         */
        delete: operations["returnJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/worker/claims/{claim_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a job, and report its progress
         * @description Prolongs the lease. A 409 says that nobody waits for this run any more: end it.
         */
        post: operations["reportProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/worker/claims/{claim_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the request
         * @description Sends the input or an attachment, or a range of it.
         */
        get: operations["getClaimFile"];
        put?: never;
        /**
         * A file of the result
         * @description Takes the raw bytes. They must be of the kind that the operation makes, and hash as Content-Digest says; a file that comes again takes the place of the first.
         */
        post: operations["sendClaimFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/worker/claims/{claim_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End of a run
         * @description Settles the run, and with the last run the job. Engine, weights and result count as reported by the account, and the receipt says so. May be repeated after a lost response.
         */
        post: operations["reportRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    jobEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End of a job
         * @description Sent to X-Webhook-URL of a request once its job has ended: the body is that of the status. A response of 2xx within 15 seconds delivers it; after any other the service tries again, up to 10 times over about 3 days.
         */
        post: operations["receiveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    accountSpending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share of the monthly cap
         * @description Sent to the event address of the account once 50, 80 and 100 % of its monthly cap are spent, once each in a calendar month (UTC).
         */
        post: operations["receiveSpending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        SpendingEvent: {
            /** @constant */
            type: "account.spending";
            /**
             * @description Percentage of the cap that is spent.
             * @enum {number}
             */
            share: 50 | 80 | 100;
            /**
             * @description A decimal amount in US dollars.
             * @example 0.006
             */
            spent_usd: string;
            /**
             * @description A decimal amount in US dollars.
             * @example 0.006
             */
            cap_usd: string;
        };
        Accepted: {
            request_id: string;
            /** @constant */
            status: "QUEUED";
            polling_url: string;
        };
        /**
         * @description Kind of an error, for programs. Later versions may add codes.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "unfetchable" | "unsupported" | "too_large" | "model_not_found" | "unauthorized" | "insufficient_balance" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "gone" | "body_too_large" | "range_not_satisfiable" | "expectation_failed" | "unprocessable" | "over_memory" | "canceled" | "output_delivery_failed" | "too_many_failures" | "too_many_requests" | "headers_too_large" | "cancelled" | "internal" | "crashed" | "interrupted" | "over_time" | "unavailable" | "timeout" | "engine_unavailable" | "category_unavailable";
        Problem: {
            /**
             * @description Short title of the error.
             * @example Bad Request
             */
            error: string;
            /** @description Names the field and what is allowed. */
            message: string;
            code: components["schemas"]["ErrorCode"];
            /**
             * @description Path in the body, such as `items[0].image_url`, or name of a header.
             * @example items[0].image_url
             */
            field?: string;
            /** @description Id of the job where there is one, else of the HTTP request, as x-request-id has it. */
            request_id: string;
        };
        BackgroundRemovalAnswer: {
            /** @constant */
            status: "success";
            /** @description URL of the result, until it expires. */
            output_url: string;
            /**
             * @description <width>x<height>
             * @example 1920x1080
             */
            original_size: string;
            subjects_detected: number;
            processing_ms: number;
            /**
             * @description Certainty of the matte.
             * @enum {string}
             */
            matte_quality: "high" | "medium" | "low";
            request_id: string;
            engine: string;
            /**
             * @description Licences of the weights of the engine that ran; null while there is no result, for codecs, and for a batch, whose items have their own.
             * @example Apache-2.0
             */
            engine_licence: string | null;
            warnings: string[];
            /** @description Whether an earlier request’s result is returned, at no charge. Cache-Control: no-cache requests a new run. */
            cached: boolean;
        };
        ModerationAnswer: {
            /** @description Whether a category has at least the severity of the threshold. */
            flagged: boolean;
            /** @description Analysed categories: 0 Safe, 2 Low, 4 Medium, 6 High. Low does not mean safe. */
            categories: {
                /** @enum {string} */
                category: "Hate" | "SelfHarm" | "Sexual" | "Violence";
                /** @enum {number} */
                severity: 0 | 2 | 4 | 6;
            }[];
            /** @enum {number} */
            severity_threshold: 0 | 2 | 4 | 6;
            /** @description Processing time on the server. */
            ms: number;
            request_id: string;
            engine: string;
            /**
             * @description Licences of the weights of the engine that ran; null while there is no result, for codecs, and for a batch, whose items have their own.
             * @example Apache-2.0
             */
            engine_licence: string | null;
            warnings: string[];
        };
        Job: {
            /** @description <model_id>_<unique suffix> */
            request_id: string;
            /**
             * @description State of the job.
             * @enum {string}
             */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED" | "ERROR";
            /** @description The operation. */
            model_id: string;
            /** @description Whether a test key sent it: it costs nothing, and its result is made up. */
            test: boolean;
            /** @description Error message; null unless FAILED or ERROR. */
            error: string | null;
            output: {
                /** @description URLs of the produced files, until they expire. Empty without files. */
                media_url: string[];
                /** @description Of every file. multipart/mixed when they differ: each download names its own. application/json when the result itself is all there is. */
                media_type: string;
                /** @description Result in the form of the operation’s direct response, until its files expire. */
                result?: {
                    [key: string]: unknown;
                };
                /** @description True where the result is that of an earlier request, delivered again at no charge. */
                cached?: boolean;
                /** @description For a batch: each item’s result or error, in the order of the request. */
                items?: ({
                    /** @enum {string} */
                    status: "success" | "failed";
                    /** @description Error message of a failed item. */
                    error?: string;
                    code?: components["schemas"]["ErrorCode"];
                    /**
                     * @description Path in the body, such as `items[0].image_url`, or name of a header.
                     * @example items[0].image_url
                     */
                    field?: string;
                    /** @description For a failed item, the request_id of the batch. */
                    request_id?: string;
                } & {
                    [key: string]: unknown;
                })[];
            } | null;
            /** @description Extended images only: how well the simple fill is expected to continue the image, estimated from its borders before the run. Null before the end, and where a model painted. */
            fill_quality?: number | null;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description Time of the end; null before. */
            completed_at: string | null;
            /** @description Share of the run that is done. */
            progress: number;
            /** @description Held until the end; charged when COMPLETED. */
            billing: {
                /**
                 * @description A decimal amount in US dollars.
                 * @example 0.002
                 */
                held_usd: string;
                /**
                 * @description A decimal amount in US dollars.
                 * @example 0.002
                 */
                charged_usd: string;
            };
            /** @description Parts of the request that could not be fulfilled, in sentences. */
            warnings: string[];
            /** @description Engine that ran; null while there is no result. */
            engine: string | null;
            /**
             * @description Licences of the weights of the engine that ran; null while there is no result, for codecs, and for a batch, whose items have their own.
             * @example Apache-2.0
             */
            engine_licence: string | null;
            /** @description Code of the error; null unless FAILED or ERROR. */
            code: components["schemas"]["ErrorCode"] | null;
            /** @description Field that the error is about, where there is one. */
            field: string | null;
            /** @description Deliveries to `output_urls`, in their order; empty without. */
            output_delivery: components["schemas"]["OutputDelivery"][];
            /** @description Signed statement of what was done, as a compact JWS; null unless COMPLETED. The keys are at /.well-known/jwks.json. */
            receipt: string | null;
            /**
             * @description Where the job runs. `own`: on a machine of its account, whose reports the service does not vouch for.
             * @enum {string}
             */
            run_on: "service" | "own";
            /** @description The `reference` of the request. */
            reference: string | null;
            /** @description The `metadata` of the request. */
            metadata: {
                [key: string]: string;
            };
        };
        OutputDelivery: {
            /** @description The URL without its query, which holds its signature. */
            url: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** @description Status of the latest response; null without one. */
            http_status: number | null;
            /** @description Fault of the latest attempt; null after a delivery. */
            error: string | null;
        };
        UpscaleAnswer: {
            /** @constant */
            status: "success";
            /** @description URL of the result, until it expires. */
            output_url: string;
            /**
             * @description <width>x<height>
             * @example 960x540
             */
            input_size: string;
            /**
             * @description <width>x<height>
             * @example 1920x1080
             */
            output_size: string;
            /** @enum {number} */
            scale: 2 | 4 | 8;
            /** @description Price in credits of 0.001 USD. */
            credits_used: number;
            request_id: string;
            engine: string;
            /**
             * @description Licences of the weights of the engine that ran; null while there is no result, for codecs, and for a batch, whose items have their own.
             * @example Apache-2.0
             */
            engine_licence: string | null;
            warnings: string[];
        };
        Upload: {
            /** @description URL for any input field of a request. */
            upload_url: string;
            bytes: number;
            /** Format: date-time */
            expires_at: string;
        };
        EngineList: {
            /** @description By operation, best first. */
            engines: components["schemas"]["Engine"][];
            /** @description Categories of moderation, and whether an engine here can judge them. */
            categories: {
                category: string;
                available: boolean;
            }[];
        };
        Engine: {
            /**
             * @description The operation.
             * @example remove-bg
             */
            model_id: string;
            /**
             * @description Name of the engine in requests and results.
             * @example matte
             */
            id: string;
            /**
             * @description Licences of its weights.
             * @example MIT
             */
            licence: string;
            /**
             * @description Whether its licences allow use in a paid service.
             * @enum {string}
             */
            commercial: "yes" | "unclear" | "no";
            /** @description Size of all weights; 0 for none, null where it is unknown. */
            bytes: number | null;
            /** @description Whether a request may use it here. */
            available: boolean;
            /** @description Reason why it is not available; null where it is. */
            reason: string | null;
            /** @description Quality on a sample, as measured here; null until it was measured. */
            acceptance: {
                /**
                 * @description Kind of the figure.
                 * @example IoU
                 */
                measure: string;
                figure: number;
                /** @description Figure that an engine must reach. */
                floor: number;
                lower_is_better?: boolean;
                passed: boolean;
                /** @description Time of a run for each megapixel or second. */
                seconds: number;
                /** @enum {string} */
                per: "megapixel" | "second";
                memory_bytes: number;
                /** Format: date-time */
                measured_at: string;
            } | null;
        };
        /** @description Decimal strings in US dollars; available is balance less held. */
        Wallet: {
            /** @example 5.00 */
            balance_usd: string;
            /** @example 5.00 */
            held_usd: string;
            /** @example 5.00 */
            available_usd: string;
        };
        ReceiptKeys: {
            keys: {
                /** @constant */
                kty: "OKP";
                /** @constant */
                crv: "Ed25519";
                kid: string;
                /** @constant */
                use: "sig";
                /** @constant */
                alg: "EdDSA";
                x: string;
            }[];
        };
        RequestList: {
            /** @description Newest first, without their output: the status of each has it. */
            requests: components["schemas"]["JobSummary"][];
            /** @description null on the last page. */
            next_cursor: string | null;
        };
        JobSummary: {
            /** @description <model_id>_<unique suffix> */
            request_id: string;
            /**
             * @description State of the job.
             * @enum {string}
             */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED" | "ERROR";
            /** @description The operation. */
            model_id: string;
            /** @description Whether a test key sent it: it costs nothing, and its result is made up. */
            test: boolean;
            /** @description Error message; null unless FAILED or ERROR. */
            error: string | null;
            /** @description Extended images only: how well the simple fill is expected to continue the image, estimated from its borders before the run. Null before the end, and where a model painted. */
            fill_quality?: number | null;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description Time of the end; null before. */
            completed_at: string | null;
            /** @description Share of the run that is done. */
            progress: number;
            /** @description Held until the end; charged when COMPLETED. */
            billing: {
                /**
                 * @description A decimal amount in US dollars.
                 * @example 0.002
                 */
                held_usd: string;
                /**
                 * @description A decimal amount in US dollars.
                 * @example 0.002
                 */
                charged_usd: string;
            };
            /** @description Parts of the request that could not be fulfilled, in sentences. */
            warnings: string[];
            /** @description Engine that ran; null while there is no result. */
            engine: string | null;
            /**
             * @description Licences of the weights of the engine that ran; null while there is no result, for codecs, and for a batch, whose items have their own.
             * @example Apache-2.0
             */
            engine_licence: string | null;
            /** @description Code of the error; null unless FAILED or ERROR. */
            code: components["schemas"]["ErrorCode"] | null;
            /** @description Field that the error is about, where there is one. */
            field: string | null;
            /** @description Deliveries to `output_urls`, in their order; empty without. */
            output_delivery: components["schemas"]["OutputDelivery"][];
            /**
             * @description Where the job runs. `own`: on a machine of its account, whose reports the service does not vouch for.
             * @enum {string}
             */
            run_on: "service" | "own";
            /** @description The `reference` of the request. */
            reference: string | null;
            /** @description The `metadata` of the request. */
            metadata: {
                [key: string]: string;
            };
        };
        Quote: {
            model_id: string;
            /**
             * @description A decimal amount in US dollars.
             * @example 0.002
             */
            price_usd: string;
            /** @description Usual time of such a run on this service, without the wait for its turn; null while too few have run, with a test key, and for a machine of your own. */
            expected_seconds: number | null;
            /** @description Engine that would run now; null for an operation with only one, and where the model depends on the pixels, as for upscale. */
            engine: string | null;
            /** @description Facts about the input that the price depends on. */
            facts: {
                mediaType: string;
            } & {
                [key: string]: unknown;
            };
        };
        Usage: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /**
             * @description A decimal amount in US dollars.
             * @example 0.002
             */
            charged_usd: string;
            /** @description By day of the request, operation and key, oldest first. */
            usage: {
                /** Format: date */
                day: string;
                model_id: string;
                /** @description null for requests without a key. */
                key_id: string | null;
                /** @description Requests that completed. */
                requests: number;
                /**
                 * @description A decimal amount in US dollars.
                 * @example 0.002
                 */
                charged_usd: string;
            }[];
        };
        PartedUpload: {
            /** @description Takes the parts of the file, without a key. */
            parts_url: string;
            /** @description URL for any input field of a request, once the file is complete. */
            upload_url: string;
            bytes: number;
            /**
             * Format: date-time
             * @description Each part extends it to an hour after it.
             */
            expires_at: string;
        };
        Claim: {
            /** @description Names the claim in all further requests. */
            claim_id: string;
            request_id: string;
            /** @description The operation, or its batches. */
            model_id: string;
            /** @description Operation of each run. */
            operation: string;
            /** @description Attempts at the job so far, this one included, but for those that were given back. */
            attempt: number;
            /** @description Time without a report after which other workers may take the job. */
            lease_seconds: number;
            /** @description The run of the job, or those of the batch items that are open. */
            runs: {
                /** @description Position of the batch item, or 0. */
                position: number;
                /** @description Checked params, defaults included. */
                params: {
                    [key: string]: unknown;
                };
                input: {
                    /** @description Path below /api that sends the bytes. */
                    path: string;
                    media_type: string;
                    bytes: number;
                    /** @description In hex. */
                    sha256: string;
                };
                /** @description Further files, by the param that names them. */
                attachments: {
                    [key: string]: {
                        /** @description Path below /api that sends the bytes. */
                        path: string;
                        media_type: string;
                        bytes: number;
                        /** @description In hex. */
                        sha256: string;
                    };
                };
            }[];
        };
        Lease: {
            lease_seconds: number;
        };
        ClaimOutput: {
            name: string;
            bytes: number;
            /** @description In hex. */
            sha256: string;
        };
        ReportedRun: {
            /**
             * @description State of the job by now.
             * @enum {string}
             */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED" | "ERROR";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the HTTP request, in the log of the service as well. */
        RequestId: string;
        /** @description Requests that a whole bucket allows. */
        RateLimitLimit: number;
        /** @description Requests that are left now. */
        RateLimitRemaining: number;
        /** @description Seconds until the bucket is whole again. */
        RateLimitReset: number;
        /** @description Present when this repeats the first response to the Idempotency-Key. */
        IdempotentReplayed: "true";
        /** @description Code of the error, as in its body. */
        ErrorCode: components["schemas"]["ErrorCode"];
        /** @description Seconds after which the same request may succeed. Absent where no wait helps. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "media-convert-image": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of a JPG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP image, at most 50 MB and 100 megapixels. Accepts image/*.
                     */
                    image_url: string;
                    /**
                     * @description Target format. There is no default.
                     * @example avif
                     * @enum {string}
                     */
                    to_format: "jpg" | "jpeg" | "png" | "webp" | "avif" | "heic" | "tiff" | "gif" | "bmp";
                    /**
                     * @description For jpg, webp, avif and heic, where a number means the same visible quality; 100 is the best that each can do. The other formats are lossless or paletted and ignore it.
                     * @default 92
                     */
                    quality?: number;
                    /**
                     * @description Keep EXIF (GPS included), XMP, IPTC, print resolution and the colour profile wherever the target can hold them.
                     * @default false
                     */
                    keep_metadata?: boolean;
                    /** @description Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files. */
                    output_urls?: string[];
                    /**
                     * @description Whether the service keeps the result as well. false needs `output_urls`.
                     * @default true
                     */
                    store?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "media-convert-image-batch": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    items: {
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of a JPG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP image, at most 50 MB and 100 megapixels. Accepts image/*.
                         */
                        image_url: string;
                        /**
                         * @description Target format. There is no default.
                         * @example avif
                         * @enum {string}
                         */
                        to_format?: "jpg" | "jpeg" | "png" | "webp" | "avif" | "heic" | "tiff" | "gif" | "bmp";
                        /**
                         * @description For jpg, webp, avif and heic, where a number means the same visible quality; 100 is the best that each can do. The other formats are lossless or paletted and ignore it.
                         * @default 92
                         */
                        quality?: number;
                        /**
                         * @description Keep EXIF (GPS included), XMP, IPTC, print resolution and the colour profile wherever the target can hold them.
                         * @default false
                         */
                        keep_metadata?: boolean;
                    }[];
                    /**
                     * @description Target format. There is no default.
                     * @example avif
                     * @enum {string}
                     */
                    to_format?: "jpg" | "jpeg" | "png" | "webp" | "avif" | "heic" | "tiff" | "gif" | "bmp";
                    quality?: number;
                    keep_metadata?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "remove-bg": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                Prefer?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of a JPG, PNG, WebP or BMP image of at most 25 MB and 8000 x 8000 pixels. Accepts image/*.
                     */
                    image_url?: string;
                    /** @description The bytes of a JPG, PNG, WebP or BMP image of at most 25 MB and 8000 x 8000 pixels. Accepts image/*. In base64, raw or as a data URI. */
                    image_b64?: string;
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of an MP4, MOV, WebM or MKV video of at most 200 MB, 60 seconds, 60 frames per second and 3840 pixels per side. The audio is kept. Accepts video/*.
                     */
                    video_url?: string;
                    /**
                     * @description png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white. Transparent webm is VP9 with alpha; transparent mp4 is H.264 of double height, the colours above and the matte below.
                     * @enum {string}
                     */
                    output_format?: "png" | "jpeg" | "webp" | "mp4" | "webm";
                    /**
                     * @description transparent, a CSS colour, a CSS linear-gradient(...) or radial-gradient(...), or an image URL (scaled to cover).
                     * @default transparent
                     */
                    background?: string;
                    /**
                     * @description Keep every subject, or the largest only.
                     * @default all
                     * @enum {string}
                     */
                    subject?: "all" | "primary";
                    /**
                     * @description Model that finds the subject; auto uses the best one available.
                     * @default auto
                     * @enum {string}
                     */
                    engine?: "auto" | "birefnet-lite-fp16" | "isnet-general-use" | "u2netp" | "matte" | "modnet-fp16" | "selfie-segmentation";
                    /**
                     * @description Canvas: <width>x<height> in pixels, a shape around the subject (square, 4:5, 9:16, or passport: 35 to 45), or marketplace (2000x2000, on white). The subject is fitted into it. Images only.
                     * @example 1080x1350
                     */
                    size?: string;
                    /** @description Space around the subject, as a share of the canvas's shorter side. Without a size the result is the subject with this margin. Defaults to 0.075 where a size is given. Images only. */
                    margin?: number;
                    /** @description Place of the subject: its centre (x, y: 0 to 1), its scale (1 fits the canvas, or is its own size where neither size nor margin is given) and its angle in degrees, clockwise. Images only. */
                    position?: {
                        /**
                         * @description Centre, from the left.
                         * @default 0.5
                         */
                        x?: number;
                        /**
                         * @description Centre, from the top.
                         * @default 0.5
                         */
                        y?: number;
                        /**
                         * @description Size, relative to the fitted one.
                         * @default 1
                         */
                        scale?: number;
                        /**
                         * @description Degrees, clockwise.
                         * @default 0
                         */
                        angle?: number;
                    };
                    /**
                     * @description Shadow of the subject: soft, behind it, or contact, on the ground below it. Images only.
                     * @default none
                     * @enum {string}
                     */
                    shadow?: "none" | "soft" | "contact";
                    /**
                     * @description Opacity of the shadow.
                     * @default 0.5
                     */
                    shadow_strength?: number;
                    /** @description Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files. */
                    output_urls?: string[];
                    /**
                     * @description Whether the service keeps the result as well. false needs `output_urls`.
                     * @default true
                     */
                    store?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Result of a job that ended in time. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackgroundRemovalAnswer"];
                };
            };
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "remove-bg-batch": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    items: {
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of a JPG, PNG, WebP or BMP image of at most 25 MB and 8000 x 8000 pixels. Accepts image/*.
                         */
                        image_url?: string;
                        /** @description The bytes of a JPG, PNG, WebP or BMP image of at most 25 MB and 8000 x 8000 pixels. Accepts image/*. In base64, raw or as a data URI. */
                        image_b64?: string;
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of an MP4, MOV, WebM or MKV video of at most 200 MB, 60 seconds, 60 frames per second and 3840 pixels per side. The audio is kept. Accepts video/*.
                         */
                        video_url?: string;
                        /**
                         * @description png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white. Transparent webm is VP9 with alpha; transparent mp4 is H.264 of double height, the colours above and the matte below.
                         * @enum {string}
                         */
                        output_format?: "png" | "jpeg" | "webp" | "mp4" | "webm";
                        /**
                         * @description transparent, a CSS colour, a CSS linear-gradient(...) or radial-gradient(...), or an image URL (scaled to cover).
                         * @default transparent
                         */
                        background?: string;
                        /**
                         * @description Keep every subject, or the largest only.
                         * @default all
                         * @enum {string}
                         */
                        subject?: "all" | "primary";
                        /**
                         * @description Model that finds the subject; auto uses the best one available.
                         * @default auto
                         * @enum {string}
                         */
                        engine?: "auto" | "birefnet-lite-fp16" | "isnet-general-use" | "u2netp" | "matte" | "modnet-fp16" | "selfie-segmentation";
                        /**
                         * @description Canvas: <width>x<height> in pixels, a shape around the subject (square, 4:5, 9:16, or passport: 35 to 45), or marketplace (2000x2000, on white). The subject is fitted into it. Images only.
                         * @example 1080x1350
                         */
                        size?: string;
                        /** @description Space around the subject, as a share of the canvas's shorter side. Without a size the result is the subject with this margin. Defaults to 0.075 where a size is given. Images only. */
                        margin?: number;
                        /** @description Place of the subject: its centre (x, y: 0 to 1), its scale (1 fits the canvas, or is its own size where neither size nor margin is given) and its angle in degrees, clockwise. Images only. */
                        position?: {
                            /**
                             * @description Centre, from the left.
                             * @default 0.5
                             */
                            x?: number;
                            /**
                             * @description Centre, from the top.
                             * @default 0.5
                             */
                            y?: number;
                            /**
                             * @description Size, relative to the fitted one.
                             * @default 1
                             */
                            scale?: number;
                            /**
                             * @description Degrees, clockwise.
                             * @default 0
                             */
                            angle?: number;
                        };
                        /**
                         * @description Shadow of the subject: soft, behind it, or contact, on the ground below it. Images only.
                         * @default none
                         * @enum {string}
                         */
                        shadow?: "none" | "soft" | "contact";
                        /**
                         * @description Opacity of the shadow.
                         * @default 0.5
                         */
                        shadow_strength?: number;
                    }[];
                    /**
                     * @description png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white. Transparent webm is VP9 with alpha; transparent mp4 is H.264 of double height, the colours above and the matte below.
                     * @enum {string}
                     */
                    output_format?: "png" | "jpeg" | "webp" | "mp4" | "webm";
                    background?: string;
                    /** @enum {string} */
                    subject?: "all" | "primary";
                    /** @enum {string} */
                    engine?: "auto" | "birefnet-lite-fp16" | "isnet-general-use" | "u2netp" | "matte" | "modnet-fp16" | "selfie-segmentation";
                    /**
                     * @description Canvas: <width>x<height> in pixels, a shape around the subject (square, 4:5, 9:16, or passport: 35 to 45), or marketplace (2000x2000, on white). The subject is fitted into it. Images only.
                     * @example 1080x1350
                     */
                    size?: string;
                    /** @description Space around the subject, as a share of the canvas's shorter side. Without a size the result is the subject with this margin. Defaults to 0.075 where a size is given. Images only. */
                    margin?: number;
                    /** @description Place of the subject: its centre (x, y: 0 to 1), its scale (1 fits the canvas, or is its own size where neither size nor margin is given) and its angle in degrees, clockwise. Images only. */
                    position?: {
                        /**
                         * @description Centre, from the left.
                         * @default 0.5
                         */
                        x?: number;
                        /**
                         * @description Centre, from the top.
                         * @default 0.5
                         */
                        y?: number;
                        /**
                         * @description Size, relative to the fitted one.
                         * @default 1
                         */
                        scale?: number;
                        /**
                         * @description Degrees, clockwise.
                         * @default 0
                         */
                        angle?: number;
                    };
                    /** @enum {string} */
                    shadow?: "none" | "soft" | "contact";
                    shadow_strength?: number;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "image-moderation": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of an image of at most 4 MB, 50 x 50 to 2048 x 2048 pixels. Accepts image/*.
                     */
                    image_url?: string;
                    /** @description The bytes of an image of at most 4 MB, 50 x 50 to 2048 x 2048 pixels. Accepts image/*. In base64, raw or as a data URI. */
                    image_b64?: string;
                    /**
                     * @description Categories to analyse. 503 when no available engine judges one of them: GET /v2/engines lists those that can be judged.
                     * @default [
                     *       "Hate",
                     *       "SelfHarm",
                     *       "Sexual",
                     *       "Violence"
                     *     ]
                     */
                    categories?: ("Hate" | "SelfHarm" | "Sexual" | "Violence")[];
                    /**
                     * @description Least severity that flags the image: 2 counts Low and above, 4 Medium and High, 6 High only. Values outside 0 to 6 are clamped.
                     * @default 2
                     * @enum {integer}
                     */
                    severity_threshold?: 0 | 2 | 4 | 6;
                    /**
                     * @description Model that judges; auto uses the best available ones. A model for Sexual judges no other category.
                     * @default auto
                     * @enum {string}
                     */
                    engine?: "auto" | "clip-vit-b32-vision-uint8" | "nsfw-vit-int8" | "nsfw-mobilenet";
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Result of a job that ended in time. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModerationAnswer"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. body_too_large: The body of the request has too many bytes. unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. timeout: The result did not come in time; nothing was charged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "image-moderation-batch": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    items: {
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of an image of at most 4 MB, 50 x 50 to 2048 x 2048 pixels. Accepts image/*.
                         */
                        image_url?: string;
                        /** @description The bytes of an image of at most 4 MB, 50 x 50 to 2048 x 2048 pixels. Accepts image/*. In base64, raw or as a data URI. */
                        image_b64?: string;
                        /**
                         * @description Categories to analyse. 503 when no available engine judges one of them: GET /v2/engines lists those that can be judged.
                         * @default [
                         *       "Hate",
                         *       "SelfHarm",
                         *       "Sexual",
                         *       "Violence"
                         *     ]
                         */
                        categories?: ("Hate" | "SelfHarm" | "Sexual" | "Violence")[];
                        /**
                         * @description Least severity that flags the image: 2 counts Low and above, 4 Medium and High, 6 High only. Values outside 0 to 6 are clamped.
                         * @default 2
                         * @enum {integer}
                         */
                        severity_threshold?: 0 | 2 | 4 | 6;
                        /**
                         * @description Model that judges; auto uses the best available ones. A model for Sexual judges no other category.
                         * @default auto
                         * @enum {string}
                         */
                        engine?: "auto" | "clip-vit-b32-vision-uint8" | "nsfw-vit-int8" | "nsfw-mobilenet";
                    }[];
                    categories?: ("Hate" | "SelfHarm" | "Sexual" | "Violence")[];
                    severity_threshold?: number;
                    /** @enum {string} */
                    engine?: "auto" | "clip-vit-b32-vision-uint8" | "nsfw-vit-int8" | "nsfw-mobilenet";
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. body_too_large: The body of the request has too many bytes. unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "image-outpaint": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                Prefer?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of a JPG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP image of at most 50 MB and 100 megapixels. Accepts image/*.
                     */
                    image_url: string;
                    /**
                     * @description Pixels added on the left.
                     * @default 0
                     */
                    expand_left?: number;
                    /**
                     * @description Pixels added on the right.
                     * @default 0
                     */
                    expand_right?: number;
                    /**
                     * @description Pixels added above.
                     * @default 0
                     */
                    expand_top?: number;
                    /**
                     * @description Pixels added below.
                     * @default 0
                     */
                    expand_bottom?: number;
                    /** @description Scales the image to this percentage of its size, in the middle of a canvas of its original size; then the margins are added. 50 means half. 0 and values from 100 up mean no zoom. Defaults to 20, or to no zoom when a margin is given. */
                    zoom_out_percentage?: number;
                    /**
                     * @description Text about the added area. Only sd15-inpaint-fp16 and lcm-inpaint read it, when named: the result says in its warnings when it was not applied.
                     * @default
                     */
                    prompt?: string;
                    /** @description Number that makes results reproducible: the same image, params and engine give the same bytes. Random when absent; file names contain it. */
                    seed?: number;
                    /**
                     * @description Number of results. They have the seeds seed, seed + 1, and so on.
                     * @default 1
                     */
                    num_images?: number;
                    /**
                     * @description Fails the job when a result has sexual content of medium or high severity.
                     * @default true
                     */
                    enable_safety_checker?: boolean;
                    /**
                     * @description Whether the response waits for the end of the job.
                     * @default false
                     */
                    sync_mode?: boolean;
                    /**
                     * @description jpeg and jpg are the same. They hold no transparency: it is flattened onto white.
                     * @default png
                     * @enum {string}
                     */
                    output_format?: "png" | "jpeg" | "jpg" | "webp";
                    /**
                     * @description Model or method that extends; auto uses the best available one of those that need no text.
                     * @default auto
                     * @enum {string}
                     */
                    engine?: "auto" | "sd15-inpaint-fp16" | "lcm-inpaint" | "lama-fp32" | "lama-opencv" | "migan-pipeline-v2" | "darkroom-patches";
                    /** @description Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files. */
                    output_urls?: string[];
                    /**
                     * @description Whether the service keeps the result as well. false needs `output_urls`.
                     * @default true
                     */
                    store?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description The job has ended in time. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "image-outpaint-batch": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    items: {
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of a JPG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP image of at most 50 MB and 100 megapixels. Accepts image/*.
                         */
                        image_url: string;
                        /**
                         * @description Pixels added on the left.
                         * @default 0
                         */
                        expand_left?: number;
                        /**
                         * @description Pixels added on the right.
                         * @default 0
                         */
                        expand_right?: number;
                        /**
                         * @description Pixels added above.
                         * @default 0
                         */
                        expand_top?: number;
                        /**
                         * @description Pixels added below.
                         * @default 0
                         */
                        expand_bottom?: number;
                        /** @description Scales the image to this percentage of its size, in the middle of a canvas of its original size; then the margins are added. 50 means half. 0 and values from 100 up mean no zoom. Defaults to 20, or to no zoom when a margin is given. */
                        zoom_out_percentage?: number;
                        /**
                         * @description Text about the added area. Only sd15-inpaint-fp16 and lcm-inpaint read it, when named: the result says in its warnings when it was not applied.
                         * @default
                         */
                        prompt?: string;
                        /** @description Number that makes results reproducible: the same image, params and engine give the same bytes. Random when absent; file names contain it. */
                        seed?: number;
                        /**
                         * @description Number of results. They have the seeds seed, seed + 1, and so on.
                         * @default 1
                         */
                        num_images?: number;
                        /**
                         * @description Fails the job when a result has sexual content of medium or high severity.
                         * @default true
                         */
                        enable_safety_checker?: boolean;
                        /**
                         * @description Whether the response waits for the end of the job.
                         * @default false
                         */
                        sync_mode?: boolean;
                        /**
                         * @description jpeg and jpg are the same. They hold no transparency: it is flattened onto white.
                         * @default png
                         * @enum {string}
                         */
                        output_format?: "png" | "jpeg" | "jpg" | "webp";
                        /**
                         * @description Model or method that extends; auto uses the best available one of those that need no text.
                         * @default auto
                         * @enum {string}
                         */
                        engine?: "auto" | "sd15-inpaint-fp16" | "lcm-inpaint" | "lama-fp32" | "lama-opencv" | "migan-pipeline-v2" | "darkroom-patches";
                    }[];
                    expand_left?: number;
                    expand_right?: number;
                    expand_top?: number;
                    expand_bottom?: number;
                    /** @description Scales the image to this percentage of its size, in the middle of a canvas of its original size; then the margins are added. 50 means half. 0 and values from 100 up mean no zoom. Defaults to 20, or to no zoom when a margin is given. */
                    zoom_out_percentage?: number;
                    prompt?: string;
                    /** @description Number that makes results reproducible: the same image, params and engine give the same bytes. Random when absent; file names contain it. */
                    seed?: number;
                    num_images?: number;
                    enable_safety_checker?: boolean;
                    /** @enum {string} */
                    output_format?: "png" | "jpeg" | "jpg" | "webp";
                    /** @enum {string} */
                    engine?: "auto" | "sd15-inpaint-fp16" | "lcm-inpaint" | "lama-fp32" | "lama-opencv" | "migan-pipeline-v2" | "darkroom-patches";
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upscale: {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                Prefer?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of a JPG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP image of at most 50 MB. The result has at most 100 megapixels. Accepts image/*.
                     */
                    image_url?: string;
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of an MP4, MOV, WebM or MKV video of at most 200 MB, 60 seconds, 60 frames per second and 2048 pixels per side. The audio is kept. The result has at most 4096 pixels per side. Accepts video/*.
                     */
                    video_url?: string;
                    /**
                     * @description Model that enlarges; crystal-upscaler uses the best available one.
                     * @default crystal-upscaler
                     * @enum {string}
                     */
                    model?: "crystal-upscaler" | "darkroom" | "darkroom-restore" | "darkroom-fast" | "realesr-general-x4v3" | "realesrgan-x4plus" | "swin2sr-lightweight-x2";
                    /**
                     * @description Factor for width and height.
                     * @default 2
                     * @enum {number}
                     */
                    scale?: 2 | 4 | 8;
                    /**
                     * @description png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white.
                     * @enum {string}
                     */
                    output_format?: "png" | "jpeg" | "webp" | "mp4" | "webm";
                    /** @description Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files. */
                    output_urls?: string[];
                    /**
                     * @description Whether the service keeps the result as well. false needs `output_urls`.
                     * @default true
                     */
                    store?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Result of a job that ended in time. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpscaleAnswer"];
                };
            };
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "upscale-batch": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    items: {
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of a JPG, PNG, WebP, AVIF, HEIC, TIFF, GIF or BMP image of at most 50 MB. The result has at most 100 megapixels. Accepts image/*.
                         */
                        image_url?: string;
                        /**
                         * Format: uri
                         * @description HTTP(S) URL of an MP4, MOV, WebM or MKV video of at most 200 MB, 60 seconds, 60 frames per second and 2048 pixels per side. The audio is kept. The result has at most 4096 pixels per side. Accepts video/*.
                         */
                        video_url?: string;
                        /**
                         * @description Model that enlarges; crystal-upscaler uses the best available one.
                         * @default crystal-upscaler
                         * @enum {string}
                         */
                        model?: "crystal-upscaler" | "darkroom" | "darkroom-restore" | "darkroom-fast" | "realesr-general-x4v3" | "realesrgan-x4plus" | "swin2sr-lightweight-x2";
                        /**
                         * @description Factor for width and height.
                         * @default 2
                         * @enum {number}
                         */
                        scale?: 2 | 4 | 8;
                        /**
                         * @description png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white.
                         * @enum {string}
                         */
                        output_format?: "png" | "jpeg" | "webp" | "mp4" | "webm";
                    }[];
                    model?: string;
                    /** @enum {number} */
                    scale?: 2 | 4 | 8;
                    /**
                     * @description png (default), jpeg or webp for images; mp4 (default) or webm for video. jpeg holds no transparency: it is flattened onto white.
                     * @enum {string}
                     */
                    output_format?: "png" | "jpeg" | "webp" | "mp4" | "webm";
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audio-diarize": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of an audio file, or a video with audio, of at most 500 MB and 4 hours. Accepts audio/* or video/*.
                     */
                    audio_url: string;
                    /** @description Number of speakers to split the audio into. Estimated when absent. */
                    speaker_count?: number;
                    /**
                     * @description Models that distinguish speakers; auto uses the best available ones.
                     * @default auto
                     * @enum {string}
                     */
                    engine?: "auto" | "pyannote-segmentation-3.0" | "pyannote-segmentation-3.0-int8" | "silero-speakers";
                    /** @description Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files. */
                    output_urls?: string[];
                    /**
                     * @description Whether the service keeps the result as well. false needs `output_urls`.
                     * @default true
                     */
                    store?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audio-separate-stems": {
        parameters: {
            query?: never;
            header?: {
                "Cache-Control"?: string;
                "Idempotency-Key"?: string;
                "X-Webhook-URL"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description HTTP(S) URL of an audio file, or a video with audio, of at most 500 MB and 4 hours. Accepts audio/* or video/*.
                     */
                    audio_url: string;
                    /**
                     * @description two: vocals and no_vocals; four: vocals, drums, bass and other.
                     * @default two
                     * @enum {string}
                     */
                    stems?: "two" | "four";
                    /**
                     * @description mp3 at 192 kbps, or 16-bit wav. Both are stereo at 44.1 kHz.
                     * @default mp3
                     * @enum {string}
                     */
                    output_format?: "mp3" | "wav";
                    /**
                     * @description Model or method that separates the sound; auto uses the best available one.
                     * @default auto
                     * @enum {string}
                     */
                    engine?: "auto" | "htdemucs-fp16" | "htdemucs" | "spleeter-4stems-fp16" | "stems" | "median-filter";
                    /** @description Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files. */
                    output_urls?: string[];
                    /**
                     * @description Whether the service keeps the result as well. false needs `output_urls`.
                     * @default true
                     */
                    store?: boolean;
                    /**
                     * @description Where the job runs. `own`: on a machine of your account that runs `darkroom worker`, at no charge. Without such a machine the job waits.
                     * @default service
                     * @enum {string}
                     */
                    run_on?: "service" | "own";
                    /**
                     * @description Your own name of the job, such as an order number. The job, its webhook and the list of requests repeat it.
                     * @default null
                     */
                    reference?: string | null;
                    /**
                     * @description Your own data about the job: up to 16 keys of 40 characters with values of up to 500. The job, its webhook and the list of requests repeat it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted: poll polling_url every 5 to 10 seconds, or wait for the webhook. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. model_not_found: The model is unknown, or disabled on this service. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unprocessable: This Idempotency-Key was used for another request, or the input turned out to be damaged. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRequestStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description wait=<seconds> asks to hold the response until the job has ended. */
                Prefer?: string;
            };
            path: {
                /** @description <model_id>_<unique suffix>, as the 202 has it. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file is stored. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEngines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The engines. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngineList"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet of the key’s account. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service accepts jobs. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, the newest first. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptKeys"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description States, separated by commas. Every state without. */
                status?: string;
                /** @description A model_id. Every one without. */
                operation?: string;
                /** @description Exactly this reference. */
                reference?: string;
                /** @description Exactly these values of metadata, each as `metadata[key]=value`. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Earliest created_at, included. */
                from?: string;
                /** @description Latest created_at, excluded. */
                to?: string;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description Requests on a page, 1 to 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description <model_id>_<unique suffix>, as the 202 has it. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled job. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has already ended. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRequestEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the last event that has arrived; an EventSource sends it itself. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description <model_id>_<unique suffix>, as the 202 has it. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The job has ended, and Last-Event-ID is that of its last event. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The operation.
                     * @example upscale
                     */
                    model_id: string;
                    /** @description Body of the request to the operation, as it would be sent. */
                    request: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. unfetchable: The URL of an input cannot be fetched. unsupported: The operation does not accept the type of an input, or its size in pixels or duration. too_large: An input has too many bytes. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. engine_unavailable: The engine cannot run on this installation: its weights are missing, may not be used or failed their acceptance test, or it needs too much memory. category_unavailable: No engine on this installation can judge a requested category; GET /v2/engines lists those that can be judged. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description First day (UTC), included. 30 days before to without. */
                from?: string;
                /** @description Last day (UTC), included. Today without. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charges. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Length of the whole file.
                     * @example 120000000
                     */
                    bytes: number;
                };
            };
        };
        responses: {
            /** @description There is room for the file. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartedUpload"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description insufficient_balance: The wallet, the monthly cap of the key or the account, or the limit of an agent’s session does not cover the price. */
            402: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Last segment of parts_url. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUploadOffset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Last segment of parts_url. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the upload. */
            200: {
                headers: {
                    /** @description Bytes so far. */
                    "upload-offset": string;
                    /** @description Bytes of the whole file. */
                    "upload-length": string;
                    /** @description When the upload is deleted unless it is used or continued. */
                    "upload-expires": string;
                    "tus-resumable": "1.0.0";
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The upload is unknown, used, deleted or expired. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    appendUploadPart: {
        parameters: {
            query?: never;
            header: {
                /** @description Bytes of the file before this part. */
                "upload-offset": string;
            };
            path: {
                /** @description Last segment of parts_url. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The part is stored. With its last byte the file is complete. */
            204: {
                headers: {
                    /** @description Bytes so far. */
                    "upload-offset": string;
                    /** @description Bytes of the whole file. */
                    "upload-length": string;
                    /** @description When the upload is deleted unless it is used or continued. */
                    "upload-expires": string;
                    "tus-resumable": "1.0.0";
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description conflict: The first request with this Idempotency-Key is still running, or the request contradicts the state of its job or upload. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    claimJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Operations that this machine runs, and their batches. Every one without. */
                    operations?: string[];
                    /**
                     * @description Name of this machine, which the dashboard shows.
                     * @default worker
                     * @example studio-2
                     */
                    worker?: string;
                    /**
                     * @description How long to wait for a job where none is due.
                     * @default 25
                     */
                    wait_seconds?: number;
                };
            };
        };
        responses: {
            /** @description A job of the account, with its runs. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            /** @description No job was due in that time. Ask again. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description forbidden: The key may not run this operation. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    returnJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the claim has it. */
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It waits for a worker again. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the claim has it. */
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Share of the job that is done. */
                    progress: number;
                };
            };
        };
        responses: {
            /** @description The job is still this worker’s. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another worker has the job, or it has ended or was canceled. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getClaimFile: {
        parameters: {
            query: {
                role: "input" | "attachment";
                /** @description As the path of the file in the claim has it. */
                position: number;
            };
            header?: never;
            path: {
                /** @description As the claim has it. */
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes are those of If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another worker has the job, or it has ended or was canceled. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description range_not_satisfiable: The range lies outside the file. */
            416: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendClaimFile: {
        parameters: {
            query: {
                /** @description Position of the run in the claim: that of a batch item, or 0. */
                position: number;
                /** @description Position among the files of the result, from 0. */
                file: number;
                /** @description File name with extension. */
                name: string;
            };
            header: {
                /** @description SHA-256 of the body (RFC 9530). */
                "content-digest": string;
            };
            path: {
                /** @description As the claim has it. */
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The file is stored. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimOutput"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another worker has the job, or it has ended or was canceled. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the claim has it. */
                claim_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The files of the result have been sent.
                     * @constant
                     */
                    outcome: "completed";
                    /** @description Position of the run in the claim: that of a batch item, or 0. */
                    position: number;
                    /** @description Engine that ran. */
                    engine: string;
                    /** @default [] */
                    warnings?: {
                        kind: string;
                        names: string[];
                        message: string;
                    }[];
                    /**
                     * @description Files of weights that ran.
                     * @default []
                     */
                    weights?: {
                        id: string;
                        sha256: string;
                    }[];
                    /**
                     * @description Further findings of the run.
                     * @default {}
                     */
                    details?: {
                        [key: string]: unknown;
                    };
                    /** @description Duration of the run. */
                    processing_ms: number;
                } | {
                    /**
                     * @description failed: by its input. error: by a fault that another attempt would meet. retry: by one that it might not meet.
                     * @enum {string}
                     */
                    outcome: "failed" | "error" | "retry";
                    /** @description Position of the run in the claim: that of a batch item, or 0. */
                    position: number;
                    /**
                     * @description Kind of the failure.
                     * @enum {string}
                     */
                    code: "bad_request" | "unfetchable" | "unsupported" | "too_large" | "model_not_found" | "unauthorized" | "insufficient_balance" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "gone" | "body_too_large" | "range_not_satisfiable" | "expectation_failed" | "unprocessable" | "over_memory" | "canceled" | "output_delivery_failed" | "too_many_failures" | "too_many_requests" | "headers_too_large" | "cancelled" | "internal" | "crashed" | "interrupted" | "over_time" | "unavailable" | "timeout" | "engine_unavailable" | "category_unavailable";
                    /** @description Sentence for the user. */
                    message: string;
                    field?: string;
                };
            };
        };
        responses: {
            /** @description The run is settled. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedRun"];
                };
            };
            /** @description bad_request: A field is missing, unknown, of the wrong type or out of range. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unauthorized: The key is missing, unknown, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found: Nothing of this kind belongs to this key’s account. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another worker has the job, or it has ended or was canceled. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description body_too_large: The body of the request has too many bytes. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description too_many_requests: Too many requests with this key, or a bound of the account is reached; Retry-After says how long to wait. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description internal: A fault on our side; nothing was charged. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description unavailable: The service cannot accept jobs now; Retry-After says how long to wait. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "error-code": components["headers"]["ErrorCode"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveJob: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same for each attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt, in seconds. */
                "webhook-timestamp": string;
                /** @description Signatures by the secrets of the account, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Job"];
            };
        };
        responses: {
            /** @description The delivery is done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: there are no further attempts. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSpending: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same for each attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt, in seconds. */
                "webhook-timestamp": string;
                /** @description Signatures by the secrets of the account, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpendingEvent"];
            };
        };
        responses: {
            /** @description The delivery is done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: there are no further attempts. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
