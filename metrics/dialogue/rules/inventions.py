"""Kinds of things that an agent may make up without a figure or a name, and the words for each.

Drawn up by asking what agents of the six domains tend to promise or to claim: money, favours, people who
will come or call, ways to reach somebody, procedures, comforts of a workplace, qualities of a product, what
others do, threats. The grammar is that of :mod:`spoken_language.phrases`.
"""

from __future__ import annotations

from collections.abc import Mapping

KINDS: Mapping[str, str] = {
    # Money and favours
    "a refund": "refund* | money back | pay you back | paid back | pay it back to you | reimburs* | "
    "comes back to your account | back to your account | back on your card | back in your account | "
    "退款 | 退钱 | 退还 | 退回 | 返还 | 全退 | 连息退 | 报销",
    "compensation": "compensat* | make it up to you | goodwill | 赔偿 | 补偿 | 赔付 | 赔您 | 赔你",
    "a voucher": "voucher* | coupon* | gift card* | 优惠券 | 代金券 | 抵用券 | 礼品卡 | 红包 | 购物券 | "
    "提货券",
    "a discount": "discount* | percent off | half price | special price | special offer | reduced price | "
    "cheaper for you | knock off | take off the price | 打折 | 折扣 | 优惠 | 特价 | 折 | 便宜点给您 | 半价",
    "something for free": "gift* | free of charge | for free | complimentary | throw in | on the house | "
    "as a present | extra month | 赠送 | 礼物 | 礼品 | 免费 | 送您 | 送你 | 白送",
    "a waiver": "waive* | waiving | wipe off | written off | write it off | 免除 | 免收 | 减免 | 免了 | "
    "免掉 | 全免 | 给您免 | 给你免 | 一笔勾销",
    "a bonus": "bonus* | cashback | cash back | reward* | loyalty points | double points | extra points | "
    "积分 | 返现 | 奖金 | 奖励 | 年终奖",
    "a guarantee": "guarantee* | warranty | i promise you that | 担保 | 质保 | 保修 | 包您 | 百分之百 | "
    "包退 | 包换 | 打包票",
    "an upgrade": "upgrade* | priority | vip | fast track | queue jump | 升级 | 优先 | 绿色通道 | 加急 | "
    "插队",
    "a tax": "tax* | 税",
    "an interest rate": "interest rate | annual return | yield | 利率 | 收益率 | 年化",
    "a cheaper or freer contract": "no strings | cancel any time | 随时退订 | 无条件",
    "money in advance": "down payment | deposit | 定金 | 订金 | 押金 | 首付",
    "a commission": "commission | 提成 | 佣金",
    # Threats
    "legal steps": "lawyer* | attorney | legal action | court | sue | lawsuit | police | 律师 | 起诉 | "
    "法院 | 报警 | 警察 | 法律责任 | 公安",
    "the credit record": "credit record* | credit score* | credit report* | credit rating | "
    "credit history | blacklist* | 征信 | 黑名单",
    "a penalty": "penalt* | late fee* | fined | surcharge | 罚款 | 滞纳金 | 违约金 | 罚息",
    "telling others": "your employer will | tell your employer | inform your family | ring your family | "
    "通知您单位 | 通知您家 | 联系您单位",
    "a freeze": "frozen | freeze your | 冻结 | 停用 | 封号",
    # Terms
    "instalments or an extension": "installment* | instalment* | extension | grace period | 分期 | 延期 | "
    "宽限 | 展期",
    "insurance": "insur* | 保险 | 医保 | 社保",
    "a law or rule": "regulation* | the law says | by law | company policy | industry standard | 法规 | "
    "明文规定 | 公司规定 | 国家规定 | 政策规定",
    "a limited offer": "only today | last chance | last place* | few places left | offer ends | "
    "while stocks | 仅限今天 | 最后机会 | 名额有限 | 只剩 | 限时",
    # People and visits
    "a superior": "manager* | supervisor* | team leader | my boss | director | head office | 经理 | "
    "主管 | 领导 | 负责人 | 主任 | 上级 | 总部",
    "somebody coming": "technician* | engineer* | repairman | electrician | come to your | visit you | "
    "home visit | pick you up | 上门 | 工程师 | 师傅 | 接您 | 专人",
    "an investigation team": "task force | special team | investigation team | 专项小组 | 调查组 | 专家组",
    "a specialist": "specialist* | professor | expert* | consultant | 专家 | 教授 | 顾问",
    "a nurse or doctor": "nurse* | doctor* | surgeon* | 护士 | 医生 | 大夫",
    # Ways
    "a website or app": "app | website* | online form | link | portal | web page | qr code | 网站 | "
    "官网 | 链接 | 小程序 | 网上 | 二维码 | 公众号",
    "an e-mail": "email* | e-mail* | 邮件 | 邮箱",
    "a text message": "text you | texting you | text message* | text it | texted | sms | 短信 | 信息发 | "
    "发到您手机",
    "WeChat": "wechat | 微信 | 企业微信",
    "a letter": "by letter | registered mail | by mail | by post | fax | 挂号信 | 传真 | 纸质信",
    "a delivery": "courier | deliver* | ship* | 快递 | 寄 | 配送",
    "a hotline": "hotline | call center | call centre | 热线",
    "a branch office": "branch office | at the counter | showroom | 门店 | 网点 | 柜台 | 营业厅",
    "a form": "fill in a form | application form | questionnaire | notary | notaris* | 表格 | 填表 | "
    "公证 | 盖章",
    "a photograph or copy": "passport photo* | photocop* | 一寸照 | 复印件",
    # A workplace, a place
    "parking": "parking | car park | garage | 停车 | 车位 | 车库",
    "meals": "canteen | cafeteria | lunch* | breakfast | snacks | 食堂 | 午餐 | 工作餐 | 早餐 | 包吃",
    "transport": "shuttle | company bus | company car | bus stop | metro station | 班车 | 通勤车 | 配车 | "
    "地铁站",
    "work from home": "home office | work from home | remote* | 居家办公 | 远程",
    "a place to live": "dormitory | housing allowance | rent allowance | 宿舍 | 住房补贴 | 房补 | 包住",
    "leave or overtime": "annual leave | paid leave | holidays a year | overtime pay | 年假 | 带薪 | "
    "加班费 | 调休",
    "shares": "stock options | shares in the company | 期权 | 股票 | 股权",
    "promotion or a pay rise": "pay rise | pay raise | salary increase | promot* | 加薪 | 涨薪 | 涨工资 | "
    "晋升 | 升职",
    "a certificate": "certificate* | certified | award* | prize* | iso | patent* | licen* | 证书 | 认证 | "
    "获奖 | 奖项 | 专利 | 资质 | 执照",
    "child care": "kindergarten | nursery | creche | 托儿 | 幼儿园",
    # Qualities
    "medical advice": "medicine | medication | prescri* | diagnos* | dose | side effect* | 药 | 诊断 | "
    "剂量 | 副作用",
    "no risk": "risk free | no risk | without any risk | completely safe | totally safe | "
    "perfectly safe | painless | won't hurt | 零风险 | 没风险 | 没有风险 | 绝对安全 | 保本 | 不疼 | 无痛",
    "a trial": "free trial | trial period | trial month | 试用 | 试听 | 体验课",
    "a change to come": "a fix | update* | new version | next version | software | bug fix | "
    "next release | new model | 更新 | 新版 | 修复 | 改版 | 新款 | 下一版",
    "a backup or an alarm": "encrypt* | backup* | alarm* | 加密 | 备份 | 报警器",
    "what others do": "most people | most customers | most of our | everybody else | "
    "our other customers | other customers | nine out of ten | the majority | your neighbours have | "
    "half of our | 大多数 | 别的客户 | 其他客户 | 很多客户 | 您邻居 | 九成",
    "the best of all": "number one in | market leader | award winning | best in | 第一名 | 行业第一 | "
    "全国第一 | 最好的",
    "a mistake of the machine": "system error | computer error | technical error | software error | "
    "系统故障 | 系统出错 | 系统错误",
}
"""Kind -> the words for it. One that the prompt offers in any of its words is known; when it is offered
rightly is not checked."""

KNOWN_OTHERWISE: Mapping[str, str] = {
    "something for free": "free | cost* you nothing | costs nothing | no charge | nothing to pay | "
    "no cost | 不收 | 不要钱 | 不花钱 | 不另收",
    "a refund": "get back | pay out | paid out | 退 | 还给",
    "a discount": "less | cheaper | off | 便宜",
    "a letter": "letter | post | 信",
    "a text message": "text* | message* | 信息",
    "a website or app": "online | web | app | 应用 | 手机银行 | 手机上",
    "an e-mail": "mail* | mailbox | inbox | 电邮",
    "a branch office": "branch* | counter | store | shop | 店",
    "somebody coming": "comes | come by | visit* | 来人",
    "a backup or an alarm": "copy | copied | copies",
    "a photograph or copy": "photo* | copy | copies | picture*",
    "a form": "form* | apply | application",
    "a penalty": "interest",
    "a nurse or doctor": "ward | anaesthetist | clinic | hospital | 医院 | 门诊",
    "a trial": "try | free hour | 试",
    "a specialist": "engineer* | doctor* | 医生",
    "meals": "supper | dinner | eat | food | 餐 | 饭",
    "transport": "bus | underground | metro | drive | 地铁 | 公交",
    "parking": "park",
    "a guarantee": "guarante* | 保证",
    "instalments or an extension": "later | postpone | months",
}
"""Other words by which a prompt may have a kind."""
