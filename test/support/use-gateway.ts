import { afterAll, beforeAll } from "vitest";
import { MockProvider } from "./mock-provider.ts";
import { TestGateway, startGateway, type TestOptions } from "./running-gateway.ts";
import { WireProvider } from "./wire-provider.ts";

/** A gateway for all tests of a file or a group. @param options are read when it starts, so that providers listen by then */
export function useGateway(options: () => TestOptions = () => ({})): TestGateway {
  const used = new TestGateway(undefined as never, "");
  beforeAll(async () => {
    const { gateway, dataDir } = await startGateway(options());
    Object.assign(used, { gateway, dataDir });
  });
  afterAll(() => used.close());
  return used;
}

/** A wire provider for all tests of a file or a group. */
export function useWire(): WireProvider {
  const wire = new WireProvider();
  beforeAll(() => wire.listen());
  afterAll(() => wire.close());
  return wire;
}

/** A mock provider for all tests of a file or a group. */
export function useProvider(): MockProvider {
  const provider = new MockProvider();
  beforeAll(async () => void (await provider.listen()));
  afterAll(() => provider.close());
  return provider;
}
