import type { ModelSpec } from "../../core/models/model.ts";
import { directivesOf } from "../directives.ts";
import { cutConnection, wait, type Exchange } from "../exchange.ts";
import { requestedFailure } from "../failure.ts";
import { findModel } from "../models.ts";
import { modelNotFound } from "../failure.ts";
import type { Seed } from "../seed.ts";
import type { PlannedPicture } from "./files.ts";
import type { PicturePlan } from "./picture.ts";

/** How an answer is to be sent. */
export interface Manner {
  /** Milliseconds between two events of a stream. */
  readonly gapMs: number;
  /** The connection breaks after so many events. */
  readonly cutAfter: number | null;
}

/** Events that leave before `sandbox:cut` breaks a stream. */
const EVENTS_BEFORE_CUT = 1;

/**
 * Does what a prompt asks for before an answer is made: waits, fails, breaks the connection.
 * @param events how many a streamed answer will have; null for one that is not streamed.
 * @returns null when the connection was broken: there is nothing left to answer.
 * @throws Failure for `sandbox:error` and `sandbox:fail`.
 */
export async function prepare(exchange: Exchange, prompt: string, events: number | null): Promise<Manner | null> {
  const { errorStatus, slowMs, cut } = directivesOf(prompt);
  if (errorStatus !== null || events === null) await wait(exchange, slowMs ?? 0);
  if (errorStatus !== null) throw requestedFailure(errorStatus);
  if (events !== null)
    return { gapMs: (slowMs ?? 0) / Math.max(1, events - 1), cutAfter: cut ? EVENTS_BEFORE_CUT : null };
  if (!cut) return { gapMs: 0, cutAfter: null };
  cutConnection(exchange);
  return null;
}

/** A model that makes images. @throws Failure (404) for any other. */
export function imageModel(models: readonly ModelSpec[], id: unknown, capability: "image" | "image_edit"): ModelSpec {
  if (typeof id !== "string" || id === "") throw modelNotFound("");
  const model = findModel(models, id);
  if (!model.capabilities.includes(capability)) throw modelNotFound(id.slice(0, 200));
  return model;
}

/** The pictures of an answer, each of its own colours. */
export function picturesOf(seed: Seed, plan: PicturePlan, count: number): readonly PlannedPicture[] {
  return Array.from({ length: count }, (_, index) => ({ ...plan, digits: seed.digits(`picture ${index}`, 32) }));
}

/** `created` lies in the year after this moment, 2023-11-14, wherever the request's hash puts it. */
const EARLIEST_CREATED = 1_700_000_000;
const YEAR_SECONDS = 31_536_000;

/** Unix seconds. */
export function createdOf(seed: Seed): number {
  return EARLIEST_CREATED + seed.number("created", YEAR_SECONDS);
}
