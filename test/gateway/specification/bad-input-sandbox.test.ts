import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Poster } from "../../support/poster.ts";
import { KEY, startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { BASES, STRANGE, hostileBodiesAt } from "./hostile-bodies.ts";

/**
 * The same bad input where the provider takes it: what is counted, billed, translated and kept of a strange request must
 * not fail on it. Every response is a success or an error of the client's; streams end without an error of ours.
 */

const logged: string[] = [];
const poster = new Poster();
let postern: TestGateway;
beforeAll(async () => {
  postern = await startGateway({ logged, env: { POSTERN_SANDBOX: "on" } });
});
afterAll(() => {
  poster.close();
  return postern.close();
});

async function fault(path: string, body: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const { status, text } = await poster.post(`${postern.url}/v1${path}`, headers, body);
  const bad = status >= 500 || /internal_error|"api_error"/.test(text);
  return bad ? `${body.slice(0, 200)} → ${status} ${text.slice(0, 300)}` : null;
}

describe.each(BASES.map((one, position) => [...one, position] as const))("%s", (_name, path, base, position) => {
  it("answers any value in any field, or says what is wrong with it", { timeout: 300_000 }, async () => {
    const faults: string[] = [];
    for (const body of hostileBodiesAt(position, base, STRANGE)) {
      const found = await fault(path, body);
      if (found !== null) faults.push(found);
    }
    expect(faults.join("\n")).toBe("");
    expect(logged.filter((line) => /internal_error|\.ts:\d+/.test(line))).toEqual([]);
  });
});
