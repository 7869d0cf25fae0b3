// An organization's own members (D23). Its collections stand between them; each data set says where.

import { requiredText, text, type ObjectOf } from './object-definition';

export const organizationMembers = {
  OrganizationName: requiredText,
  OrganizationPurview: text,
  OrganizationWebsite: text,
  OrganizationPhoneNumber: text,
  OrganizationContactName: text,
  OrganizationContactEmail: text,
  /** Two letters. */
  OrganizationState: requiredText,
  /** The full name of the state. */
  State: requiredText,
  OrganizationDataMappingURL: text,
  OrganizationUUID: requiredText,
};

export type Organization = ObjectOf<typeof organizationMembers>;
