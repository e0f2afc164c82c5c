export {
  chooseLastAccount,
  findAccountName,
  findSessionAccount,
  type JoinedAccount,
  listAccounts,
  switchAccount,
} from './accounts.ts';
export { findRole } from './find-role.ts';
export { INVITATION_DAYS, invitationPath } from './invitation-mail.ts';
export {
  acceptInvitation,
  deadLink,
  findInvitation,
  findInvitedAddress,
  invite,
  listInvitations,
  purgeInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts';
export {
  changeRole,
  leaveTeam,
  listMembers,
  openOtherAccount,
  removeMember,
} from './members.ts';
export {
  assertPermitted,
  describeRefusal,
  isPermitted,
  listPermissions,
  type Permission,
  ROLE_NAMES,
  ROLES,
  type Role,
} from '../../base/permissions.ts';
export { permittedRoles } from '../../base/permitted-roles.ts';
export { readTeamActivity } from './read-team-activity.ts';
export type { TeamActor } from './team-actor.ts';
