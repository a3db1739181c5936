/** The fingerprint of the secret key with which the stored secrets were encrypted. */
export interface KeyFingerprint {
  /** `null` before the first start. */
  find(): Promise<string | null>;
  /** Stores it if there is none yet, and returns the stored one: of several nodes, the first wins. */
  agreeOn(fingerprint: string): Promise<string>;
  replaceBy(fingerprint: string): Promise<void>;
}
