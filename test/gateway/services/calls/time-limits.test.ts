import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Rounds } from "../../../../gateway/lib/rounds.ts";
import { Transfer } from "../../../../gateway/upstream/transfer.ts";
import { isLocalPeer } from "../../../../gateway/upstream/targets.ts";
import { ENDPOINTS, type Endpoint } from "../../../support/paid-endpoints.ts";
import { providersAt, until } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

vi.mock("../../../../gateway/upstream/targets.ts", { spy: true });

const MINUTE_MS = 60_000;
const SETTINGS = { first_byte_timeout_s: 7, silence_timeout_s: 9, call_timeout_s: 11 };
const provider = useWire();
const postern = useGateway(() => ({
  env: providersAt({ OPENAI: `${provider.origin}/openai/v1`, ANTHROPIC: `${provider.origin}/anthropic` }),
}));

/** The provider's responses that are awaited, and the requests that are watched: their time passes when a test says so. */
let pending: ServerResponse[] = [];
let watched = new Set<Transfer>();
const add = Rounds.prototype.add;
beforeEach(() => {
  [pending, watched] = [[], new Set()];
  // Lists leave no connection behind that is not as a test says.
  for (const path of ["/openai/v1/models", "/anthropic/v1/models"])
    provider.on(`GET ${path}`, reply(200, { data: [] }, { connection: "close" }));
  vi.spyOn(Rounds.prototype, "add").mockImplementation(function (this: Rounds<unknown>, one) {
    if (one instanceof Transfer) watched.add(one);
    return add.call(this, one);
  });
});
afterEach(async () => {
  vi.mocked(isLocalPeer).mockReset();
  for (const response of pending) response.destroy();
  await postern.ask("PATCH", "/settings", { first_byte_timeout_s: 120, silence_timeout_s: 300, call_timeout_s: null });
});

const pass = (ms: number): void => watched.forEach((transfer) => transfer.tick(ms));

/** A call whose provider has its request and says nothing. */
async function waitingCall({
  path,
  route,
  body,
}: Endpoint): Promise<{ said: Promise<string>; pending: ServerResponse }> {
  provider.on(route, (_seen, outgoing) => void pending.push(outgoing));
  const response = postern.post(path, typeof body === "function" ? body() : body);
  await until(() => pending.length === 1 && watched.size > 0);
  const said = response.then((one) => one.text()).catch(String);
  return { said, pending: pending[0] as ServerResponse };
}

describe.each(Object.entries(ENDPOINTS))("%s", (_name, endpoint) => {
  const isStream = endpoint.first !== undefined;
  const first = isStream && endpoint.path !== "/audio/speech" ? "first_byte" : "call";

  it("waits for a server of this network that loads its model, and ends its silence later", async () => {
    const call = await waitingCall(endpoint);
    pass(10 * MINUTE_MS);
    call.pending.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" }).flushHeaders();
    await until(() => [...watched].some(({ status }) => status === 200));
    pass(10 * MINUTE_MS);
    expect(call.pending.closed).toBe(false);
    call.pending.write(endpoint.first ?? "{");
    await until(() => (pass(5 * MINUTE_MS), call.pending.closed));
    expect(await call.said).toMatch(/silence_timeout_s, 300 s|terminated/);
  });

  it("is given up elsewhere after the owner's limit, which the error names", async () => {
    vi.mocked(isLocalPeer).mockReturnValue(false);
    await postern.ask("PATCH", "/settings", SETTINGS);
    const call = await waitingCall(endpoint);
    pass(SETTINGS[`${first}_timeout_s`] * 1_000 - 1);
    expect(call.pending.closed).toBe(false);
    await until(() => (pass(1), call.pending.closed));
    expect(await call.said).toContain(`(${first}_timeout_s, ${SETTINGS[`${first}_timeout_s`]} s) in the settings`);
  });
});
