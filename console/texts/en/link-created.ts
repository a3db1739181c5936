/** The card of a link that was just created. */
export const createdTexts = {
  label: "Link created",
  ready: "Your link is ready",
  customize: "Customize QR code",
  copy: "Copy link",
  copiedUrl: (url: string) => `Copied ${url}`,
  qr: "QR code",
  share: "Share",
};
