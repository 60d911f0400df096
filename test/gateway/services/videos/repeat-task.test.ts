import { afterEach, beforeEach, expect, it } from "vitest";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

const SECRET = "sk-test-of-somebody-000001";
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway({
    env: { POSTERN_SANDBOX: "on" },
    keys: [{ key: SECRET, name: "somebody" }],
  });
});
afterEach(() => gateway.close());

it("of a key that was switched off is a conflict: a 401 would say that the page's own session has ended", async () => {
  const made = await gateway.post(
    "/videos/generations",
    { model: "alpha2.7-t2v", duration: 5, resolution: "720p", input: { prompt: "A lighthouse" }, parameters: {} },
    SECRET,
  );
  const { id } = (await made.json()) as { id: string };
  const key = await gateway.keyView("somebody");
  await gateway.ask("PATCH", `/keys/${key.id}`, { disabled: true });
  const response = await gateway.control("POST", `/tasks/${id}/repeat`, {});
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({
    error: { code: "conflict", message: expect.stringContaining("somebody") },
  });
  const list = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
  expect(list.status).toBe(200);
});
