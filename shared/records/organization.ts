// An organization's own members (D23). Its collections stand between them; each data set says where.

import { described, requiredText, text, type ObjectOf } from './object-definition';

export const organizationMembers = {
  OrganizationName: described(requiredText, 'Name of the organization.'),
  OrganizationPurview: described(text, 'What the organization is in charge of.'),
  OrganizationWebsite: described(text, 'Web site of the organization.'),
  OrganizationPhoneNumber: described(text, 'Telephone number of the organization.'),
  OrganizationContactName: described(text, 'Whom to ask about the data.'),
  OrganizationContactEmail: described(text, 'Where to ask about the data.'),
  OrganizationState: described(requiredText, 'State of the organization, two letters.'),
  State: described(requiredText, 'State of the organization, full name.'),
  OrganizationDataMappingURL: described(text, 'Page on how the organization mapped its data.'),
  OrganizationUUID: described(requiredText, 'Identifier of the organization.'),
};

export type Organization = ObjectOf<typeof organizationMembers>;
