// Conclusions that the data do not support, for people (/docs/data) and for assistants (/mcp).

export const KNOWN_LIMITS = {
  'Placeholder priority dates':
    'Where a priority date is not known, some organizations write a fixed day, often the first of January of a round ' +
    'year. The service cannot tell such a day from a true one and shows what was submitted. Many rights of one and ' +
    'the same old day are a sign of it.',
  'A right is not a use':
    'Flows and volumes of rights are upper bounds. Their sum says nothing of the water that there is, or that was used.',
  'Points and rights':
    'A right with several points is one right in every total, and stands at each of its points on the map. So circles ' +
    'there count points.',
  'What adds up':
    'Amounts of different variables, units, statistics or intervals are never added up. Even amounts that may be added ' +
    'can mean the same water twice: what a system withdraws, it also delivers.',
  'Uses across states':
    'Each organization has its own words for uses. The categories of use, by which the explorer colours and stacks, are ' +
    'the reading of this project; the words as submitted are always there too.',
  'Without a date or a place':
    'A record without a date is in no chart over time, one whose places have no position is not on the map. Tables and ' +
    'files have them all.',
  'Counties and watersheds':
    'The filters County and HUC go by what a record states of its site. “Within an area” goes by where the site lies.',
  'No record of law':
    'What is shown is what an organization submitted on a day, and may have changed since. For a decision about a right, ' +
    'ask the organization.',
} as const;
