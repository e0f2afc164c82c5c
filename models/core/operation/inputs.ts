export type Media = 'image' | 'audio' | 'video';

/** Request field that carries the input: a request must give exactly one of an operation's input fields. */
export interface InputField {
  /** Accepted kinds. The bytes decide. */
  readonly media: readonly Media[];
  /** Content of the field: a URL, or the file itself. */
  readonly encoding: 'url' | 'base64';
  /** Whether a media type that the URL's server names must be of these kinds as well. Defaults to false. */
  readonly checksNamedType?: boolean;
  /** Overrides the limits' `inputBytesMax`. */
  readonly bytesMax?: number;
  readonly description: string;
}

/** Further file that a param names by URL. It must be of a kind and size that the input may also have. */
export interface Attachment {
  /** Name of the param. */
  readonly name: string;
  readonly media: readonly Media[];
  readonly url: string;
  /** Operation whose limits count for it; that of the request when absent. */
  readonly operationId?: string;
}

/** Facts that probing finds about any input. */
export interface InputFacts {
  /** Media type by the bytes: `image/png`. */
  readonly mediaType: string;
}
