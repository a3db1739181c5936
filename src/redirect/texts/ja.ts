import type { PageTexts } from "./page-texts.ts";

export const ja: PageTexts = {
  notFound: {
    title: "このリンクは存在しません",
    text: "アドレスに間違いがないか確認するか、リンクを受け取った相手にお尋ねください。",
  },
  gone: {
    title: "このリンクはご利用いただけません",
    text: "期限が切れたか、削除されました。リンクを受け取った相手に新しいものをお尋ねください。",
  },
  tooManyMisses: {
    title: "存在しないリンクへのアクセスが多すぎます",
    text: "お使いのネットワークから、存在しないリンクが多数要求されました。1分ほど待ってからもう一度お試しください。",
  },
  tooManyRequests: {
    title: "リクエストが多すぎます",
    text: "お使いのネットワークから多数のリクエストがありました。1分ほど待ってからもう一度お試しください。",
  },
  unavailable: {
    title: "しばらくお待ちください",
    text: "現在このページを表示できません。数秒後にもう一度お試しください。",
  },
  methodNotAllowed: {
    title: "このアドレスは開くことだけができます",
    text: "短縮リンクは GET と HEAD の要求にのみ応答します。",
  },
  targetTooLong: {
    title: "このアドレスは長すぎます",
    text: "短縮リンクで使えるアドレスは {max} 文字までです。",
  },
  internalError: { title: "問題が発生しました", text: "こちら側の問題です。もう一度お試しください。" },
  blocked: {
    title: "このリンクはブロックされています",
    reasons: {
      malware: "悪意のあるソフトウェアにつながると報告されました。",
      phishing:
        "フィッシングとして報告されました。リンク先のページは、パスワードや個人情報を盗むために別のページを装っています。",
      spam: "迷惑行為として報告されました。",
      legal: "法的な理由によりブロックされました。",
      manual: "このサービスの運営者によってブロックされました。",
      suspended: "このリンクのアカウントは停止されています。",
    },
    notForwarded: "安全のため、転送は行いません。",
    mistake: "誤りだと思われる場合のご連絡先：",
    subject: "{site} のブロックされたリンク",
  },
  preview: {
    title: "{link} のプレビュー",
    heading: "このリンクの行き先",
    leadsTo: "短縮リンク {link} の行き先は次のとおりです",
    destination: "行き先",
    proceed: "続ける",
    wrong: "このリンクに問題がありますか？ご連絡先：",
    subject: "{link} についての報告",
    demo: {
      title: "デモ：転送しません",
      text: "このリンクは有効です。デモ以外では、訪問者はすぐに行き先へ移動します。",
    },
  },
};
