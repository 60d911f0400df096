/** A model as a vendor's own list describes it. Rates are nano USD per 10⁶ tokens; null where the list is silent. */
export interface DiscoveredModel {
  readonly id: string;
  readonly owned_by: string | null;
  readonly created: number | null;
  readonly context_length: number | null;
  readonly max_output: number | null;
  readonly input_rate: number | null;
  readonly output_rate: number | null;
}
