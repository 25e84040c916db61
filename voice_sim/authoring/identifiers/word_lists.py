"""Words that rules look up: given names, surnames, kinds of companies, cities, brands, ordinary words."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


MALE = _words(
    """
    aaron adam adrian alan albert alex alexander andrew anthony arthur ben benjamin bernard bobby brandon
    brian bruce carl charles charlie chris christopher colin craig dan daniel darren david dennis derek
    donald douglas dylan edward eric ethan eugene francis fred gareth gary geoffrey george gerald gordon
    graham greg gregory harold harry henry howard hugh ian isaac jacob jake james jamie jason jeff jeffrey
    jeremy jerry jim jimmy joe joel john johnny jonathan jordan jose joseph joshua juan justin keith ken
    kenneth kevin kyle larry lawrence leo leon leonard lewis liam louis lucas luis luke malcolm manuel
    marcus martin matt matthew michael miguel mike mohammed muhammad nathan neil nicholas nick nigel noah
    oliver oscar owen patrick paul pedro peter phil philip phillip ralph raymond richard robert roger ronald
    roy russell ryan sam samuel scott sean simon stanley stephen steve steven stuart terence theodore thomas
    tim timothy toby todd tom tommy tony trevor tyler victor vincent walter warren wayne wesley william
    zachary
    """
)
FEMALE = _words(
    """
    abigail alexandra alice alicia alison amanda amber amelia amy andrea angela anita ann anna anne annie
    barbara beatrice becky beth betty brenda bridget carol caroline catherine cathy charlotte chloe
    christina christine cindy claire clara cynthia danielle debbie deborah denise diana diane donna doris
    dorothy edith eileen elaine eleanor elena elizabeth ella ellen emily emma erica esther eva evelyn fiona
    frances gail georgia gillian gina gloria hannah heather helen hilary irene isabel isabella jackie
    jacqueline jane janet janice jean jennifer jenny jessica jill joan joanna joanne josephine joyce judith
    judy julia julie karen kate katherine kathleen kathryn katie kelly kim kimberly kirsty laura lauren leah
    lena lily linda lisa liz lorraine louise lucy lydia lynn maggie margaret maria marie marilyn martha mary
    maureen megan melanie melissa michelle miranda molly monica nancy naomi natalie natasha nicola nicole
    nina nora norma olivia pamela patricia paula pauline phoebe rachel rebecca renee rita roberta rosa
    rosemary ruth sally samantha sandra sara sarah sharon sheila shirley silvia sonia sophia sophie stella
    stephanie susan sylvia tamara tanya teresa theresa tina tracy valerie vanessa vera veronica victoria
    virginia wendy yvonne zoe
    """
)
GIVEN = MALE | FEMALE

PINYIN_SURNAMES = _words(
    """
    bai cai cao chang chen cheng deng ding dong duan fang feng fu gao gu guo hao hong hou hu huang jia jiang
    kang lai lei li liang lin liu lu luo ma mao meng pan peng qi qian qin qiu ren shao shen su sun tang tao
    tian wan wang wei wu xia xiao xie xiong xu xue yan yang yao ye yin yu yuan zeng zhang zhao zheng zhong
    zhou zhu zou
    """
)

ORDINARY = _words(
    """
    apple april art autumn baker bank banks banner bell berry best bill bird black bond booth
    brook brooks brown burns bush butler capital central chambers chance chase china church clark
    clay cliff cole cook cross dawn day dean delta direct discover drew earl eve faith farmer field fields
    first fisher ford forest fox frank french gap gates gene general gold good grace grant gray green
    grey guy hall hand happy hart head hill holly hood hope horizon house hunter iris ivy jack jade jasmine
    joy june king knight lake lane law little long lord love major mark marks marsh may mercy metro
    miles miller moon national noble north olive orange page park parks pearl penny pioneer pope
    power powers price prime rain ray rich rob root rose royal ruby sage sharp shell short silver
    singer sky snow south spring standard star steel stone strong subway summer summit sun sunny swift
    target united unity visa wall walls ward waters weaver well wells west white will
    winter wise wolf wood woods worth wright young
    """
)
"""Words that are names only with a capital, and only where something else says so."""

NOT_NAMES = _words(
    """
    a about account actually afraid afternoon again agent all also always am american an and any anyway app
    april are as asking assistant at august available back bank because british busy but by calling can card
    chinese christmas could customer december department did do does dr easter english evening everything
    faq february fine for friday from getting glad god going good great had happy has have he hello her here
    hey hi him his honestly how i i'd i'll i'm i've id if in interested internet is it its january july june
    just let listen look looking madam manager march may maybe me might miss monday more morning mr mrs ms
    much must my never new no nobody not nothing november october of ok okay on once only or order our
    perhaps pin please policy really regarding right sales saturday september service shall she should sir
    sms so some somebody something sorry sounds speaking still sunday support sure team thank thanks that
    the their them there these they this those thursday to today tomorrow tonight trying tuesday tv us very
    wait was we wednesday well were what when where which who why wifi will with wondering would year yes
    yesterday you your
    """
)

BRANDS = _phrases(
    """
    Huawei, Tencent, Alibaba, Alipay, Taobao, Tmall, JD.com, Jingdong, Meituan, Didi, ByteDance, Douyin,
    TikTok, WeChat, Weibo, Baidu, Xiaomi, Haier, Midea, Lenovo, China Unicom, China Mobile, China Telecom,
    ICBC, CCB, SF Express, Google, Microsoft, Facebook, WhatsApp, Amazon, Samsung, Netflix, LinkedIn,
    PayPal, Mastercard, Barclays, HSBC, Lloyds, Santander, NatWest, Citibank, Chase, Wells Fargo, JPMorgan,
    Vodafone, Verizon, AT&T, T-Mobile, Comcast, FedEx, UPS, DHL, Walmart, Tesco, Sainsbury's, IKEA, Airbnb,
    Expedia, Allianz, AXA, Aviva, Prudential, Geico, Oracle, Salesforce, Siemens, Bosch, Philips, Sony,
    Toyota, Honda, Tesla, Volkswagen, Uber, Deliveroo, DoorDash, 华为, 腾讯, 阿里巴巴, 阿里云, 支付宝, 淘宝,
    天猫, 京东, 美团, 滴滴, 字节跳动, 抖音, 快手, 微信, 微博, 百度, 小米, 海尔, 联想, 中国联通, 中国移动,
    中国电信, 顺丰, 圆通, 中通, 韵达, 拼多多, 携程, 饿了么, 招商银行, 工商银行, 建设银行, 农业银行,
    中国银行, 平安, 人寿, 太平洋保险
    """
)
"""Companies that need nothing beside them to be known. Not a complete list of anything."""

COMPANY_KINDS = _phrases(
    """
    Bank, Insurance, Telecom, Telecoms, Logistics, Express, Airlines, Airways, Hotel, Hotels, Hospital,
    Clinic, University, College, School, Academy, Technologies, Technology, Tech, Energy, Motors, Fitness,
    Gym, Mobile, Broadband, Electronics, Foods, Group, Corporation, Corp, Company, Inc, Ltd, Limited, LLC,
    PLC, Credit Union, Building Society, Securities, Capital, Finance, Financial, Holdings, Partners,
    Solutions, Systems, Software, Networks, Media, Pharmacy, Pharma, Realty, Properties, Travel,
    Recruitment, Consulting, Supermarket, Logistic, Couriers, Courier, Utilities, Water, Gas, Electric,
    Dental, Appliances, Robotics, Cloud, Dairy, Games, Studios, Labs, Laboratories, Pharmaceuticals,
    Industries, Machinery, Textiles, Furniture, Printing, Publishing, Security, Services, Store, Stores,
    Market, Markets, Center, Centre, Trust, Society, Union, Agency, Studio, Restaurant, Laundry, Housing,
    Parcel, Parcels, Freight, Rail
    """
)
COMPANY_KINDS_ZH = _phrases(
    """
    银行, 保险, 证券, 科技, 电信, 移动通信, 物流, 快递, 酒店, 医院, 诊所, 大学, 学院, 中学, 小学, 学校,
    集团, 有限公司, 公司, 信托, 基金, 软件, 网络, 通信, 电器, 家电, 健身, 教育, 药房, 超市, 商城, 汽车,
    地产, 置业, 传媒, 咨询, 人力资源, 食品
    """
)
GENERIC_ZH = _words(
    """
    一家 三家 上市 专业 两家 之前 云 人家 人民 什么 他们 以前 任何 企业 你们 保险 信息 健身 其他 几家 分
    初中 别的 办公 医疗 原来 另外 各大 咱们 哪个 哪些 哪家 商业 国有 在线 外卖 大 大型 好 子 家用 小 小型
    当地 很多 快递 总 我们 所有 手机 搬家 新 旧 普通 智能 有关 本 正规 母 汽车 物流 现在 生鲜 电话 目前 租车
    系统 线上 线下 继续 网上 老 职业 许多 贵 车险 这家 银行 附近 高中 高科技 高等
    """
)
"""Words before a kind of company that name none."""

CITIES = _phrases(
    """
    Beijing, Shanghai, Guangzhou, Shenzhen, Hangzhou, Chengdu, Chongqing, Wuhan, Nanjing, Tianjin, Suzhou,
    Xi'an, Qingdao, Dalian, Xiamen, Changsha, Zhengzhou, Hong Kong, London, Manchester, Birmingham, Leeds,
    Liverpool, Glasgow, Edinburgh, Bristol, Dublin, Cardiff, New York, Los Angeles, Chicago, Houston,
    Phoenix, Philadelphia, San Antonio, San Diego, Dallas, Austin, San Francisco, Seattle, Denver, Boston,
    Atlanta, Miami, Toronto, Vancouver, Montreal, Sydney, Melbourne, Brisbane, Perth, Auckland, Singapore,
    Mumbai, Delhi, Bangalore
    """
)
CITIES_ZH = _phrases(
    """
    北京, 上海, 广州, 深圳, 杭州, 成都, 重庆, 武汉, 南京, 天津, 苏州, 西安, 青岛, 大连, 厦门, 长沙, 郑州,
    沈阳, 哈尔滨, 长春, 济南, 合肥, 福州, 南昌, 昆明, 贵阳, 南宁, 石家庄, 太原, 兰州, 乌鲁木齐, 宁波, 无锡,
    佛山, 东莞, 温州, 珠海, 海口, 三亚, 香港, 澳门, 台北
    """
)
STREET_KINDS = _phrases(
    """
    Street, St, Road, Rd, Avenue, Ave, Lane, Ln, Drive, Boulevard, Blvd, Terrace, Crescent, Close, Court,
    Square, Place, Gardens
    """
)

SURNAMES_ZH = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余杜叶程魏苏吕丁任卢姚"
    "沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙史陶贺顾毛郝龚邵万覃武钱戴严莫孔汤康"
    ""
)
DOUBLE_SURNAMES_ZH = _phrases(
    """
    欧阳, 司马, 上官, 诸葛, 东方, 皇甫, 尉迟, 公孙, 慕容, 令狐, 司徒, 夏侯
    """
)
FUNCTION_ZH = frozenset(
    "与个为也了于从他们住你到去叫向和咱哪在她家对就往您我找把是有来用由的给被该说请跟过还这那都里"
)
"""Characters that end what stands before a name."""
