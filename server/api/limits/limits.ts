/** Quotes of an account. A quote costs a fetch and a look at the file, and nothing is charged for it. */
export const QUOTES_PER_MINUTE = 12;

/** Longest wait of a request for the state of a job. Proxies cut what is silent for a minute. */
export const STATUS_WAIT_SECONDS_MAX = 30;

/** Streams of events that an account may read at the same time. */
export const ACCOUNT_STREAMS_MAX = 16;

/** After this a client connects to a stream of events again, with a key that must still be valid. */
export const STREAM_MINUTES_MAX = 15;
