import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { ErrorOverrides } from '../../models/core/operation/errors.ts';
import type { Context, Operations } from '../base/context.ts';
import type { Permission } from '../base/permissions.ts';
import type { Actor } from '../identity/keys/index.ts';
import type { Authentication } from './account/authenticate-request.ts';
import type { TAGS } from './openapi-parts.ts';
import type { BucketRate } from './transport/rate-limit.ts';

/** The whole API, for a route that calls others on behalf of its caller or describes them. */
export interface Api {
  handle(ctx: Context, request: Request): Promise<Response>;
  /** Builds the OpenAPI document. */
  describe(publicUrl: string, operations: Operations, options: { readonly gplEncoders: boolean }): object;
}

/** Call of a route. */
export interface RouteCall {
  readonly ctx: Context;
  readonly request: Request;
  /** Segment of the path that stands for the parameter of the template; empty without one. */
  readonly segment: string;
  readonly api: Api;
}

/** Call of a route whose caller is known. */
export interface KeyedCall extends RouteCall {
  readonly actor: Actor;
}

/** Description of a route in the OpenAPI document. What all routes share is added there. */
export interface RouteDocs
  extends Pick<
    ZodOpenApiOperationObject,
    'operationId' | 'summary' | 'description' | 'deprecated' | 'requestParams' | 'requestBody' | 'responses'
  > {
  readonly tag: keyof typeof TAGS;
}

interface RouteHead {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Template below `/api`: `/v2/requests/{request_id}`. It has at most one parameter, which is a whole segment. */
  readonly path: string;
  /**
   * Users of the route. `programs`: the public API, kept stable, described by openapi.json and open to pages of any
   * origin; `agents`: described by their own protocol, and open like it; `pages`: the studio's own, which changes with
   * it; `operators`: those who run the service.
   */
  readonly audience: 'programs' | 'agents' | 'pages' | 'operators';
  /** Every route for programs has it. */
  readonly docs?: RouteDocs;
}

/**
 * Route for callers with a key or a session: limited by their rate and the account's limit on requests in progress, and
 * logged.
 */
export interface KeyedRoute extends RouteHead {
  readonly authentication: Authentication;
  /** Permission that the role of the person needs, for a request by a session. */
  readonly permission: Permission;
  /** Whether it serves machines of the account: then a key needs the permission `worker`, or to have no limits. */
  readonly isForWorkers?: boolean;
  /** Whether tokens may use it. */
  readonly isForTokens?: boolean;
  /** Action in the log of the account, for a request by a session; absent for one that changes nothing. */
  readonly action?: string;
  /** Statuses and titles of the route's errors that differ from the common table. */
  readonly errorOverrides?: ErrorOverrides | undefined;
  handle(call: KeyedCall): Promise<Response>;
}

/** Route for everybody. */
export interface PublicRoute extends RouteHead {
  readonly permission?: undefined;
  /** Purpose of the bucket that limits the rate of an address. Without one the rate has no limit. */
  readonly bucket?: string;
  /** Defaults to the rate of a key. */
  readonly rate?: BucketRate;
  handle(call: RouteCall): Promise<Response>;
}

export type Route = KeyedRoute | PublicRoute;

type WithDefaults<T, Name extends keyof T> = Omit<T, Name> & Partial<Pick<T, Name>>;

type RouteDefinition =
  | WithDefaults<KeyedRoute, 'audience' | 'authentication'>
  | WithDefaults<PublicRoute, 'audience'>;

/**
 * Defines a route: its file holds all that is known of it, from the path to the words of the documentation. It is for
 * `programs`, and takes a key in `either` header, where it does not say otherwise.
 */
export function defineRoute(route: RouteDefinition): Route {
  const { audience = 'programs' } = route;
  if (route.permission === undefined) return { ...route, audience };
  const { authentication = 'either' } = route;
  return { ...route, audience, authentication };
}
