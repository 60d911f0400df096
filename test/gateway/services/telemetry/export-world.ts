import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { TelemetryView } from "../../../../gateway/contract/telemetry.ts";
import { later, type Later } from "../../../../gateway/lib/later.ts";
import { completion } from "../../../support/acts.ts";
import { MockProvider } from "../../../support/mock-provider.ts";
import { OtlpReceiverServer, valuesOf } from "../../../support/otlp-receiver.ts";
import { startGateway, type TestGateway, type TestOptions } from "../../../support/running-gateway.ts";

/** Seconds of telemetry pass in milliseconds. */
export const fast: Later = (ms, work) => later(ms / 500, work);
/** No timer ever ends. */
export const never: Later = () => () => undefined;

/** Gateways with a provider that responds, and a receiver of their telemetry. */
export class ExportWorld {
  readonly provider = new MockProvider();
  readonly receiver = new OtlpReceiverServer();
  readonly #running: TestGateway[] = [];

  async open(options: TestOptions = {}): Promise<TestGateway> {
    const postern = await startGateway({ provider: this.provider, later: fast, ...options });
    this.#running.push(postern);
    return postern;
  }

  async closeAll(): Promise<void> {
    for (const postern of this.#running.splice(0)) await postern.close();
  }

  /** Request ids of the spans that were taken. */
  requestIds(): readonly string[] {
    return this.receiver.spans.map((span) => String(valuesOf(span.attributes)["postern.request.id"]));
  }

  /** Of all newest points with these attributes. */
  total(metric: string, of: Readonly<Record<string, unknown>> = {}): number {
    return this.receiver
      .points(metric)
      .filter(({ attributes }) => Object.entries(of).every(([key, value]) => attributes[key] === value))
      .reduce((sum, { value }) => sum + value, 0);
  }
}

/** The world of a test file; whatever its receiver got that is no OTLP is a failure. */
export function useExportWorld(): ExportWorld {
  const world = new ExportWorld();
  beforeAll(async () => {
    await world.provider.listen();
    await world.receiver.listen();
  });
  afterAll(async () => {
    await world.provider.close();
    await world.receiver.close();
  });
  beforeEach(() => {
    world.receiver.reset();
    world.provider.usual = completion();
  });
  afterEach(async () => {
    await world.closeAll();
    expect(world.receiver.complaints).toEqual([]);
  });
  return world;
}

/** Names the receiver, and what else the settings say. */
export function name(postern: TestGateway, otlp_endpoint: string | null, more: object = {}): Promise<unknown> {
  return postern.ask("PATCH", "/settings", { otlp_endpoint, ...more });
}

export const view = (postern: TestGateway): Promise<TelemetryView> => postern.ask("GET", "/telemetry");
