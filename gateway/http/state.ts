import type { ParameterizedContext } from "koa";
import type { ErrorFamily } from "../contract/errors.ts";
import type { RingKey } from "../services/keys/key-ring.ts";
import type { Area } from "./area.ts";
import type { GuardedResponse } from "./guarded-response.ts";

/** State of a request that the middleware fills in. */
export interface RequestState {
  requestId: string;
  /** Monotonic milliseconds. */
  arrivedAt: number;
  /** Area of Postern: every decision by address is made by this. */
  area: Area;
  family: ErrorFamily;
  /** Whether the request is from a script of an allowed foreign origin. */
  isCrossOrigin: boolean;
  /** The key that the path began with, before it was taken out of the path; null without one. */
  pathKey: string | null;
  /** The authenticated local key; set on /v1. */
  key: RingKey | null;
  /** The parsed JSON body, and its original bytes. */
  body: unknown;
  raw: Buffer | null;
  /** Words for the access log. */
  model: string | null;
  errorCode: string | null;
}

export type Context = ParameterizedContext<RequestState> & { readonly res: GuardedResponse };
export type Next = () => Promise<void>;
/** Lets a request pass, or throws the error that it is answered with. */
export type Check = (context: Context) => void;

/** Checks as one middleware, in their order: a middleware each would cost a request two promises for every one. */
export function createChecks(...all: readonly Check[]) {
  return function passChecks(context: Context, next: Next): Promise<void> {
    for (const check of all) check(context);
    return next();
  };
}
