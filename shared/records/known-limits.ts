// Conclusions that the data do not support, shown to people (/docs/data) and to assistants (/mcp).

export const KNOWN_LIMITS = {
  'Placeholder priority dates':
    'If a priority date is unknown, some organizations enter a fixed date, often January 1 of a round ' +
    'year. The service cannot tell such a date from a real one and shows what was submitted. Many rights with ' +
    'the same old date are a sign of this.',
  'A right is not a use':
    'Flows and volumes of rights are upper limits. Their sum is neither the water available nor the water used.',
  'Points and rights':
    'A right with several points counts once in every total but appears at each of its points on the map. So circles ' +
    'there count points.',
  'What adds up':
    'Amounts of different variables, units, statistics or intervals are never added. Even amounts that can be added ' +
    'may count the same water twice: a system delivers the water that it withdraws.',
  'Uses across states':
    'Each organization has its own terms for uses. The use categories that the explorer uses for colors and charts are ' +
    'assigned by this project; the submitted terms are always shown, too.',
  'Without a date or a place':
    'Records without a date are not in charts over time, and records without a location are not on the map. Tables and ' +
    'files contain all records.',
  'Counties and watersheds':
    'The filters County and HUC use what a record states for its sites. A county under “Within an area” also finds ' +
    'records that state no county and lie inside its outline. A drawn area uses the locations of sites.',
  'Not a legal record':
    'You see what an organization submitted on a certain date; it may have changed since. Before a decision about a right, ' +
    'ask the organization.',
} as const;
