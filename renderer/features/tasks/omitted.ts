/** Whether media that were sent inside a request are left out of what is kept of it. */
export const hasOmitted = (request: unknown): boolean => /"data:[^"]*;omitted,\d+"/.test(JSON.stringify(request) ?? "");
