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
  deadLink,
  findInvitation,
  findInvitedAddress,
  INVITATION_DAYS,
  invitationPath,
  invite,
  listInvitations,
  purgeInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts';
export { changeRole, leaveTeam, listMembers, openOtherAccount, removeMember } from './members.ts';
export { readTeamActivity } from './read-team-activity.ts';
export { findRole, type TeamActor } from './team-actor.ts';
