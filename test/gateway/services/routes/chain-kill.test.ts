import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ChildGateway } from "../../../support/child-gateway.ts";
import { KEY, startGateway, temporaryFolder, until } from "../../../support/running-gateway.ts";
import { reply, WireProvider } from "../../../support/wire-provider.ts";

const fails = reply(503, { error: { message: "down", type: "server_error", code: null } });

it("keeps route, rule, failed models and kinds in the receipt of a call that a kill cuts off", async () => {
  const house = new WireProvider();
  await house.listen();
  house.on(
    "GET /v1/models",
    reply(200, { object: "list", data: ["one", "two"].map((id) => ({ id, object: "model" })) }),
  );
  house.on("POST /v1/chat/completions", (seen, outgoing) => {
    if (seen.body.includes('"one"')) return fails(seen, outgoing);
  });
  const dataDir = await temporaryFolder();
  const env = { POSTERN_COMPATIBLE_BASE_URL: `${house.origin}/v1`, POSTERN_SANDBOX: "off" };
  const first = await startGateway({ env, dataDir });
  const rules = [{ when: { kinds: ["tools"] }, models: ["one", "two"], enabled: true }];
  await first.ask("POST", "/routes", { name: "work", models: ["two"], rules });
  await first.stop();
  const keys = { POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }]) };
  const child = new ChildGateway(["--port", "0", "--data-dir", dataDir, "--json"], { ...env, ...keys });
  const { url } = await child.ready();
  const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
  const call = fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "work", tools, messages: [{ role: "user", content: "x" }] }),
  }).catch(() => null);
  const isNoted = async (): Promise<boolean> => {
    const [name] = await readdir(join(dataDir, "usage")).catch(() => []);
    return name !== undefined && (await readFile(join(dataDir, "usage", name), "utf8")).includes('"model":"two"');
  };
  await until(isNoted);
  child.kill("SIGKILL");
  await child.exited;
  await call;
  const next = await startGateway({ env, dataDir });
  expect(await next.receipt()).toMatchObject({
    outcome: "unknown",
    model: "two",
    kinds: ["tools"],
    route: { name: "work", rule: 1, passed: [{ model: "one", reason: "failed" }] },
  });
  await next.stop();
  await rm(dataDir, { recursive: true, force: true });
  await house.close();
});
