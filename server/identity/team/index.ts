export {
  chooseLastAccount,
  findAccountName,
  findSessionAccount,
  type JoinedAccount,
  listAccounts,
  switchAccount,
} from './accounts.ts';
export { findRole } from './find-role.ts';
export { stopTopUpsOfFormerMembers } from './former-payers.ts';
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
export { readTeamActivity } from './read-team-activity.ts';
export type { TeamActor } from './team-actor.ts';
