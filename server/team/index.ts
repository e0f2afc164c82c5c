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
  type TeamActor,
} from './members.ts';
export {
  assertPermitted,
  describeRefusal,
  isPermitted,
  listPermissions,
  PERMISSIONS,
  type Permission,
  ROLE_NAMES,
  ROLES,
  type Role,
} from './permissions.ts';
export { readTeamActivity } from './read-team-activity.ts';
