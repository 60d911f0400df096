import type { ProviderProfile } from "../profile.ts";

/** The region is part of the host: another one is typed into the base URL. */
const BASE_URL = "https://bedrock-mantle.us-east-1.api.aws";

/**
 * Amazon Bedrock by its API keys. Its models are priced by region and account, so no owner's prices hold there
 * (docs/providers/bedrock.md).
 */
export const profile: ProviderProfile = {
  id: "bedrock",
  label: "Amazon Bedrock",
  // https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai, from memory.
  telemetryName: "aws.bedrock",
  environment: { name: "BEDROCK", connection: "Bedrock" },
  owners: [],
  defaultBaseUrl: BASE_URL,
  homes: /^bedrock-mantle\.[a-z0-9-]+\.api\.aws$/,
  presets: [
    {
      id: "bedrock",
      label: "Amazon Bedrock",
      baseUrl: BASE_URL,
      keysUrl: "https://console.aws.amazon.com/bedrock/home#/api-keys",
      keyVariable: "AWS_BEARER_TOKEN_BEDROCK",
    },
  ],
};
