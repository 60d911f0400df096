import type { Receipt } from "../../contract/receipt.ts";
import { GatewayError } from "../../core/errors.ts";
import { SearchError } from "../../core/search/search-error.ts";
import type { SearchResult } from "../../core/search/search-result.ts";
import type { Price, Units } from "../../core/models/model.ts";
import { priceUnits } from "../../core/money/price.ts";
import { NOBODY, selectSentFields } from "../../core/sessions/identity.ts";
import type { Clock } from "../../lib/clock.ts";
import type { OpenCall, Store } from "../../store/store.ts";
import type { Admission, Admitted } from "../calls/admission.ts";
import type { CallInput } from "../calls/paid-call.ts";
import type { Events } from "../events.ts";
import type { ServedModel } from "../models/served-model.ts";
import type { SearchQuery } from "./search-engine.ts";
import type { WebSearch } from "./web-search.ts";

export interface PaidSearchDeps {
  readonly webSearch: WebSearch;
  readonly admission: Admission;
  readonly store: Pick<Store, "usage">;
  readonly clock: Clock;
  readonly events: Events;
}

/** The endpoint's name in receipts. */
const ENDPOINT = "search";
const ONE: Units = { web_search: 1 };
const NOTHING: Units = {};

/** How a search ended, for its receipt. */
type SearchEnd = Pick<Receipt, "outcome" | "status" | "code"> & { readonly units: Units };

const COMPLETED: SearchEnd = { outcome: "completed", status: 200, code: null, units: ONE };

/**
 * Runs one search on behalf of a local key: it is held against its limit before the service is called, and always has
 * its own receipt.
 * @param input input of the searching request; its id is that of the receipt
 * @throws SearchError, and GatewayError if the key cannot pay for it or the disk refuses receipts
 */
export async function paidSearch(
  deps: PaidSearchDeps,
  input: CallInput,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  const { webSearch, admission, store, clock } = deps;
  const { provider, price } = webSearch;
  const startedAt = clock.monotonic();
  const nano = priceUnits(ONE, price).nano ?? 0;
  const client = input.app;
  const identity = selectSentFields(input.identity ?? NOBODY);
  const admitted = admission.admit(input.key, nano, nano, false, nameSearch(provider), { client, ...identity });
  const call: OpenCall = {
    id: input.requestId,
    at: clock.now(),
    key: input.key.record.id,
    endpoint: ENDPOINT,
    model: ENDPOINT,
    provider,
    connection: "",
    client,
    stream: false,
    sandbox: false,
    hold_nano: nano,
    ...identity,
  };
  // A crash after this line leaves a trace.
  store.usage.begin(call, () => computeBill(ONE, price));
  const settle = (end: SearchEnd): Promise<void> =>
    book(deps, admitted, call, price, clock.monotonic() - startedAt, end);
  let results: readonly SearchResult[];
  try {
    results = await webSearch.search(query, signal);
  } catch (error) {
    await settle(fail(error));
    throw error;
  }
  await settle(COMPLETED);
  return results;
}

function fail(error: unknown): SearchEnd {
  const code = error instanceof GatewayError ? error.code : error instanceof SearchError ? CODES[error.failure] : null;
  const uncertain = error instanceof SearchError && error.uncertain;
  return {
    outcome: uncertain ? "unknown" : "failed",
    status: error instanceof GatewayError ? error.status : 502,
    code: code ?? "internal_error",
    units: uncertain ? ONE : NOTHING,
  };
}

const CODES = {
  auth: "vendor_auth",
  credit: "vendor_out_of_credit",
  rate: "rate_limit_exceeded",
  down: "upstream_error",
  refused: "upstream_error",
} as const;

function computeBill(units: Units, price: Price | null) {
  const { terms, nano, price: reportedPrice } = priceUnits(units, price);
  return { terms, nano, price: reportedPrice };
}

function book(
  deps: PaidSearchDeps,
  admitted: Admitted,
  call: OpenCall,
  price: Price | null,
  ms: number,
  { units, ...end }: SearchEnd,
): Promise<void> {
  const { hold_nano: _held, ...named } = call;
  const rounded = Math.round(ms * 10) / 10;
  const receipt: Receipt = {
    ...named,
    ...end,
    at: deps.clock.now(),
    ms: rounded,
    first_ms: rounded,
    wait_ms: null,
    connect_ms: null,
    attempts: 1,
    estimated: end.outcome === "unknown",
    ...computeBill(units, price),
  };
  let written = Promise.resolve();
  admitted.hold.settle(() => {
    written = deps.store.usage.settle(receipt);
  });
  admitted.leave();
  if (deps.events.hears("request.settled")) deps.events.emit({ type: "request.settled", receipt });
  return written;
}

/** Returns a model whose id names the search in the error about its cost. */
function nameSearch(provider: string): ServedModel {
  return { id: `a web search by ${provider}`, spec: null, discovered: null, capabilities: [], candidates: [] };
}
