import { expect, it } from "vitest";
import { createControlClient } from "../../../../main/launch/control-client.ts";
import { findInstance } from "../../../../main/launch/instance.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { useGateway } from "../../../support/use-gateway.ts";

const postern = useGateway();
const exportKeys = (page_token?: string): Promise<Response> =>
  postern.control("POST", "/setup/export", { passphrase: "a passphrase", page_token });
const refusedOf = async (response: Response): Promise<unknown> => [response.status, (await errorOf(response)).code];
const REFUSED = [403, "consent_needed"];

it("a page exports provider keys with the owner's consent alone, which is good once", async () => {
  expect(await refusedOf(await exportKeys())).toEqual(REFUSED);
  const consent = postern.gateway.issueConsent();
  expect((await exportKeys(consent)).status).toBe(200);
  expect(await refusedOf(await exportKeys(consent))).toEqual(REFUSED);
  expect((await postern.control("POST", "/setup/export", {})).status).toBe(200);
});

it("nothing that a page gets by itself is consent", async () => {
  expect(await refusedOf(await exportKeys(postern.gateway.issuePageToken()))).toEqual(REFUSED);
  expect(await refusedOf(await postern.control("POST", "/page-token", {}))).toEqual(REFUSED);
  const opened = postern.gateway.issueConsent();
  const session = await fetch(`${postern.url}/control/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: opened }),
  });
  expect(session.status).toBe(200);
  expect(await refusedOf(await exportKeys(opened))).toEqual(REFUSED);
});

it("the command sends no request, and what it prints is consent", async () => {
  const command = createControlClient(() => findInstance(postern.dataDir));
  expect((await command.call("exportSetup", { passphrase: "a passphrase" })).text).toContain("version");
  const { url } = await command.call("issuePageToken");
  expect((await exportKeys(new URL(url).hash.slice("#token=".length))).status).toBe(200);
});
