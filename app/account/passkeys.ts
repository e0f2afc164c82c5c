'use client';

import { useSyncExternalStore } from 'react';
import { AuthProblem, callAuth } from './call-auth.ts';

const subscribe = () => () => {};

/** Reports whether passkeys work in this browser; false while the server renders the page. */
export function useHasPasskeys(): boolean {
  return useSyncExternalStore(subscribe, hasPasskeys, () => false);
}

/**
 * Reports whether this browser knows passkeys in the form that our server speaks, and this page may use them: they
 * belong to a name, never to an IP address (Web Authentication, Level 3, 5.1.3).
 */
function hasPasskeys(): boolean {
  if (isIpAddress(location.hostname)) return false;
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

function isIpAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}

/**
 * Signs in with a passkey that the visitor picks.
 * @throws AuthProblem also when the visitor closes the browser's window
 */
export async function signInWithPasskey(): Promise<void> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(refused);
  await callAuth('/passkey/verify-authentication', { response: getJson(credential) });
}

/**
 * Makes a passkey for who is signed in.
 * @throws AuthProblem also when the visitor closes the browser's window
 */
export async function addPasskey(name: string): Promise<void> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>(
    '/passkey/generate-register-options',
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch(refused);
  await callAuth('/passkey/verify-registration', { response: getJson(credential), name });
}

function refused(thrown: unknown): never {
  const isKnown = thrown instanceof DOMException && thrown.name === 'InvalidStateError';
  throw new AuthProblem(
    isKnown
      ? 'This device already has a passkey for you.'
      : 'No passkey was used. Try again, or use your password.',
  );
}

function getJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new AuthProblem('No passkey was used. Try again, or use your password.');
}
