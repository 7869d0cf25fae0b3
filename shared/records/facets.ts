// The answer of facets (D41), members in order.

import { described, listOf, objectOf, requiredNumber, requiredText } from './object-definition';

const valueMembers = {
  Value: described(requiredText, 'As it was submitted.'),
  Count: described(
    requiredNumber,
    'The total with this value alone in the filter of the facet, and all other filters.',
  ),
};

const facetMembers = {
  Name: described(requiredText, 'The filter.'),
  Values: described(listOf(objectOf(valueMembers)), 'Those with most records first.'),
  MoreValues: described(requiredNumber, 'How many values are not listed.'),
};

export const facetsMembers = {
  TotalCount: described(requiredNumber, 'How many records match all filters.'),
  Facets: described(listOf(objectOf(facetMembers)), 'In the order asked for.'),
};
