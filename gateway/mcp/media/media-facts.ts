import * as z from "zod";

/** Structured facts of each image or sound that a tool made. */
export const mediaFactsSchema = z.object({
  media_id: z.string().nullable().describe("Its id in Postern's media library; null when it could not be saved there."),
  uri: z
    .string()
    .nullable()
    .describe("postern://media/{id}, for other tools (edit_image, generate_video) and resources/read."),
  url: z
    .string()
    .nullable()
    .describe(
      "Download URL without a key: on this machine, or at the provider where it could not be saved; null when only this result has it.",
    ),
  url_expires_at: z
    .string()
    .nullable()
    .describe("When the url expires (RFC 3339, UTC); null when the provider does not say, mostly after a day."),
  mime_type: z.string().nullable().describe("As image/png or audio/mpeg; null when only the provider knows."),
  bytes: z.number().int().nullable().describe("Size of the file in bytes."),
  width: z.number().int().nullable().describe("Pixels; null for audio and when unknown."),
  height: z.number().int().nullable().describe("Pixels; null for audio and when unknown."),
  duration_seconds: z.number().nullable().describe("Length of the audio in seconds; null for images."),
  inline: z.boolean().describe("True when the content of the result has the file itself, not only links."),
});
export type MediaFacts = z.output<typeof mediaFactsSchema>;

/** How a caller wants results. */
export const deliverySchema = z
  .enum(["auto", "link"])
  .optional()
  .describe(
    "auto (default): the result has the media itself up to 2 MiB in all, and links to it. link: links only, which keeps megabytes out of a conversation; read a file later as the resource postern://media/{id}. What could not be saved is in the result either way.",
  );
export type Delivery = z.output<typeof deliverySchema>;
