export { findVisitor, getAuth, type Visitor } from './create-auth.ts';
export { isFromOwnPage, resolveOwnUrl } from './own-origins.ts';
export { isOutdatedLink, purgeSessions, REVOKE_KEYS } from './revoke-other-access.ts';
export { hasNoServiceOwner, isServiceOwner, retireServiceOwner } from './service-owner.ts';
export { setPassword } from './set-password.ts';
export { signUpByInvitation } from './sign-up-by-invitation.ts';
