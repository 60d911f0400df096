import { expect, it } from "vitest";
import type { McpView } from "../../../../gateway/contract/mcp.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { startGateway } from "../../../support/running-gateway.ts";

it("every tool of the server has a title in each language, and the English one is its own", async () => {
  const postern = await startGateway();
  try {
    const { tools } = await postern.ask<McpView>("GET", "/mcp");
    expect(en.mcp.titles).toEqual(Object.fromEntries(tools.map(({ name, title }) => [name, title])));
  } finally {
    await postern.close();
  }
});
