import * as z from "zod";

/** What a tool tells programs about each image or sound that it made. */
export const mediaFactsSchema = z.object({
  media_id: z.string().nullable().describe("Its id in Postern's media library; null when it could not be saved there."),
  uri: z
    .string()
    .nullable()
    .describe("Names it for other tools (edit_image, generate_video) and resources/read: postern://media/{id}."),
  url: z
    .string()
    .nullable()
    .describe(
      "Where it can be downloaded without a key: on this machine, or at the provider where it could not be saved; null when the result alone holds it.",
    ),
  url_expires_at: z
    .string()
    .nullable()
    .describe("Until when the url works (RFC 3339, UTC); null when the provider does not say, mostly a day."),
  mime_type: z.string().nullable().describe("As image/png or audio/mpeg; null when only the provider knows."),
  bytes: z.number().int().nullable().describe("Size of the file in bytes."),
  width: z.number().int().nullable().describe("Pixels; null for sound and where they are not known."),
  height: z.number().int().nullable().describe("Pixels; null for sound and where they are not known."),
  duration_seconds: z.number().nullable().describe("Length of the sound in seconds; null for images."),
  inline: z.boolean().describe("True when the result's content holds the thing itself, and not only links."),
});
export type MediaFacts = z.output<typeof mediaFactsSchema>;

/** How a caller wants results. */
export const deliverySchema = z
  .enum(["auto", "link"])
  .optional()
  .describe(
    "auto (default): the result holds the media itself up to 2 MiB in all, and links to it. link: links only, which keeps megabytes out of a conversation; read one later as the resource postern://media/{id}. What could not be saved is in the result either way, because nothing else holds it.",
  );
export type Delivery = z.output<typeof deliverySchema>;
