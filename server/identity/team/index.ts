export {
  chooseLastAccount,
  findAccountName,
  findSessionAccount,
  type JoinedAccount,
  listAccounts,
  switchAccount,
} from './accounts.ts';
export { stopTopUpsOfFormerMembers } from './former-payers.ts';
export {
  acceptInvitation,
  findInvitation,
  findInvitedAddress,
  INVITATION_DAYS,
  invalidInvitation,
  invitationPath,
  invite,
  listInvitations,
  purgeInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts';
export {
  changeRole,
  createPersonalAccount,
  leaveTeam,
  listMembers,
  readTeamActivity,
  removeMember,
} from './members.ts';
export { findRole, type TeamActor } from './team-actor.ts';
